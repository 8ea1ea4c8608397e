package io.optimus.sim;

import io.optimus.model.plan.NamedStrategy;
import io.optimus.model.plan.NamedStrategy.Foresight;
import io.optimus.sim.knowledge.RemainingSource;
import io.optimus.sim.knowledge.RunOptions;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the command line lets policies know of jobs. */
final class KnowledgeOptions {
    private static final String TOLD = "told";
    private static final String DECLARED = "declared";

    @Option(
            names = "--knowledge",
            paramLabel = "KIND",
            description =
                    "what policies know of jobs: 'learnt' from their reports or 'told' the truth (default: what each policy is made for)")
    private @Nullable String knowledge;

    @Option(
            names = "--remaining",
            paramLabel = "KIND",
            description =
                    "from what policies that learn know how much of a job remains: 'declared' epochs, and its loss curve where none are (default), the 'curve' alone, or 'unknown'")
    private @Nullable String remaining;

    @Option(
            names = "--declared-sigma",
            paramLabel = "SIGMA",
            description =
                    "owners declare epochs wrong, by a log-normal factor of this deviation, drawn once for each job (default: 0)")
    private double declaredSigma;

    @Option(
            names = "--speed-error",
            paramLabel = "PART",
            description = "relative error of told speeds, such as 0.2 (default: 0)")
    private double speedError;

    @Option(
            names = "--remaining-error",
            paramLabel = "PART",
            description = "relative error of told remaining steps (default: 0)")
    private double remainingError;

    /** What each strategy knows; what is wrong with the choice is added to {@code problems}. */
    Function<NamedStrategy, RunOptions> terms(List<String> problems) {
        OptionRanges.outside("--speed-error", speedError, 0, 0.99).ifPresent(problems::add);
        OptionRanges.outside("--remaining-error", remainingError, 0, 0.99).ifPresent(problems::add);
        OptionRanges.outside("--declared-sigma", declaredSigma, 0, 10).ifPresent(problems::add);
        if (speedError + remainingError > 0 && !isTold()) {
            problems.add("--speed-error and --remaining-error are of what is told. Remedy: add --knowledge told");
        }
        Optional<Foresight> chosen = foresight(problems);
        RemainingSource known = remaining(problems);
        return strategy -> new RunOptions(
                strategy.foresight() == Foresight.TOLD ? Foresight.TOLD : chosen.orElse(Foresight.LEARNT),
                strategy.batch(),
                known,
                speedError,
                remainingError);
    }

    private boolean isTold() {
        return TOLD.equals(knowledge);
    }

    private Optional<Foresight> foresight(List<String> problems) {
        if (knowledge == null) {
            return Optional.empty();
        }
        for (Foresight each : Foresight.values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(knowledge)) {
                return Optional.of(each);
            }
        }
        problems.add("--knowledge is learnt or told, got " + knowledge);
        return Optional.empty();
    }

    private RemainingSource remaining(List<String> problems) {
        if (remaining != null && isTold()) {
            problems.add("--remaining is of what is learnt. Remedy: leave --knowledge told or --remaining away");
        }
        String kind = remaining == null ? DECLARED : remaining;
        if (declaredSigma > 0 && (!kind.equals(DECLARED) || isTold())) {
            problems.add(
                    "--declared-sigma is of epochs that are declared. Remedy: leave --knowledge and --remaining away");
        }
        return switch (kind) {
            case DECLARED -> new RemainingSource.Declared(Math.max(0, declaredSigma));
            case "curve" -> new RemainingSource.FromCurve();
            case "unknown" -> new RemainingSource.Unknown();
            default -> {
                problems.add("--remaining is declared, curve or unknown, got " + kind);
                yield new RemainingSource.Unknown();
            }
        };
    }

    /** From what remaining work is known, for the report. */
    String remainingInWords() {
        return "remaining work " + (remaining == null ? DECLARED : remaining)
                + (declaredSigma > 0 ? ", wrong by a log-normal factor of sigma " + declaredSigma : "");
    }

    /** The rest of what was chosen, for the report. */
    String inWords() {
        return "knowledge " + (knowledge == null ? "as each policy is made for" : knowledge)
                + (speedError + remainingError > 0
                        ? ", speeds off by " + speedError + ", remaining steps by " + remainingError
                        : "");
    }
}
