package io.optimus.sim;

import io.optimus.model.plan.NamedStrategy;
import io.optimus.model.plan.NamedStrategy.KnowledgeSource;
import io.optimus.sim.knowledge.RemainingSource;
import io.optimus.sim.knowledge.RunOptions;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that set the policies' knowledge of jobs. */
final class KnowledgeOptions {
    private static final String EXACT = "exact";
    private static final String DECLARED = "declared";

    @Option(
            names = "--knowledge",
            paramLabel = "KIND",
            description =
                    "what policies know of jobs: what is 'learned' from the jobs' reports, or 'exact' speeds and ends (default: what each policy is made for)")
    private @Nullable String knowledge;

    @Option(
            names = "--remaining",
            paramLabel = "KIND",
            description =
                    "source of a job's remaining work for policies that learn: its 'declared' epochs, or its loss curve if it declares none (default), always its loss 'curve', or 'unknown'")
    private @Nullable String remaining;

    @Option(
            names = "--declared-sigma",
            paramLabel = "SIGMA",
            description =
                    "standard deviation of the log-normal factor by which owners declare wrong epochs, drawn once for each job (default: 0)")
    private double declaredSigma;

    @Option(
            names = "--speed-error",
            paramLabel = "PART",
            description =
                    "relative error of the speeds that policies know with --knowledge exact, such as 0.2 (default: 0)")
    private double speedError;

    @Option(
            names = "--remaining-error",
            paramLabel = "PART",
            description =
                    "relative error of the remaining steps that policies know with --knowledge exact (default: 0)")
    private double remainingError;

    /** Returns the knowledge of each strategy, and adds problems of the options to {@code problems}. */
    Function<NamedStrategy, RunOptions> terms(List<String> problems) {
        ExperimentOptions.outOfRange("--speed-error", speedError, 0, 0.99).ifPresent(problems::add);
        ExperimentOptions.outOfRange("--remaining-error", remainingError, 0, 0.99)
                .ifPresent(problems::add);
        ExperimentOptions.outOfRange("--declared-sigma", declaredSigma, 0, 10).ifPresent(problems::add);
        if (speedError + remainingError > 0 && !isExact()) {
            problems.add(
                    "--speed-error and --remaining-error have no effect on learned values. Remedy: add --knowledge exact");
        }
        Optional<KnowledgeSource> chosen = knowledge(problems);
        RemainingSource known = remaining(problems);
        return strategy -> new RunOptions(
                strategy.knowledge() == KnowledgeSource.EXACT
                        ? KnowledgeSource.EXACT
                        : chosen.orElse(KnowledgeSource.LEARNED),
                strategy.batch(),
                known,
                speedError,
                remainingError);
    }

    private boolean isExact() {
        return EXACT.equals(knowledge);
    }

    private Optional<KnowledgeSource> knowledge(List<String> problems) {
        if (knowledge == null) {
            return Optional.empty();
        }
        for (KnowledgeSource each : KnowledgeSource.values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(knowledge)) {
                return Optional.of(each);
            }
        }
        problems.add("--knowledge wants learned or exact, got " + knowledge);
        return Optional.empty();
    }

    private RemainingSource remaining(List<String> problems) {
        if (remaining != null && isExact()) {
            problems.add(
                    "--remaining has no effect on exact knowledge. Remedy: leave out --knowledge exact or --remaining");
        }
        String kind = remaining == null ? DECLARED : remaining;
        if (declaredSigma > 0 && (!kind.equals(DECLARED) || isExact())) {
            problems.add(
                    "--declared-sigma only has an effect on declared epochs. Remedy: leave out --knowledge and --remaining");
        }
        return switch (kind) {
            case DECLARED -> new RemainingSource.Declared(Math.max(0, declaredSigma));
            case "curve" -> new RemainingSource.FromCurve();
            case "unknown" -> new RemainingSource.Unknown();
            default -> {
                problems.add("--remaining wants declared, curve or unknown, got " + kind);
                yield new RemainingSource.Unknown();
            }
        };
    }

    /** Describes the source of the remaining work, for the report. */
    String remainingInWords() {
        return "remaining work " + (remaining == null ? DECLARED : remaining)
                + (declaredSigma > 0 ? ", wrong by a log-normal factor of sigma " + declaredSigma : "");
    }

    String inWords() {
        return "knowledge " + (knowledge == null ? "as each policy is made for" : knowledge)
                + (speedError + remainingError > 0
                        ? ", speeds off by " + speedError + ", remaining steps by " + remainingError
                        : "");
    }
}
