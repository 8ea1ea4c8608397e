package io.optimus.am.client.forecast;

import com.fasterxml.jackson.databind.JsonNode;
import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.am.client.command.OutputOption;
import io.optimus.am.client.submission.JobFileCommand;
import io.optimus.am.client.submission.JobFileOptions;
import io.optimus.am.job.InvalidJobFileException;
import io.optimus.am.job.JobFile;
import io.optimus.am.yaml.FileProblem;
import io.optimus.model.cluster.Resources;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Asks what would happen with a change; nothing changes. */
@Command(
        name = "what-if",
        description =
                "Predict what would happen if a job were submitted, a queue had another policy or limit, or a node"
                        + " were lost or added: sizes, start and end, and what it does to other jobs. Nothing changes.",
        footer = {
            "  yarn jar optimus-am.jar what-if job.yaml",
            "  yarn jar optimus-am.jar what-if --policy root.research=drf",
            "  yarn jar optimus-am.jar what-if --add-node memory=65536,vcores=32,gpus=8"
        })
public final class WhatIfCommand extends JobFileCommand {
    @ArgGroup(exclusive = false, multiplicity = "0..1")
    private @Nullable JobFileOptions job;

    @Option(
            names = "--step-seconds",
            paramLabel = "SECONDS",
            description = "How long a step of the job takes on one worker and, if it has them, one parameter server."
                    + " Without it, what was learned of your last job of this name counts; the file of a"
                    + " paced job says it itself.")
    private @Nullable Double stepSeconds;

    @Option(
            names = "--steps",
            paramLabel = "N",
            description = "How many steps the job takes in all. Without it, as many as your last job of this name.")
    private @Nullable Double steps;

    @Option(
            names = "--policy",
            paramLabel = "[QUEUE=]POLICY",
            description = "Another policy, for all queues or for one; may be given several times.")
    private List<String> policies = new ArrayList<>();

    @Option(
            names = "--queue-limit",
            paramLabel = "QUEUE=PERCENT",
            description = "Another maximum-capacity of a queue, in percent of its parent; may be given several times.")
    private Map<String, Double> limits = new LinkedHashMap<>();

    @Option(
            names = "--lose-node",
            paramLabel = "HOST:PORT",
            description = "A node that is lost, by YARN's id; may be given several times.")
    private List<String> lostNodes = new ArrayList<>();

    @Option(
            names = "--add-node",
            paramLabel = "memory=MB,vcores=N,gpus=N,type=TYPE",
            description = "A node that is added; gpus and type may be left out. May be given several times.")
    private List<String> addedNodes = new ArrayList<>();

    @Mixin
    private final OutputOption output = new OutputOption();

    public WhatIfCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    protected int runWithFile(Configuration configuration) throws IOException, InvalidJobFileException {
        ForecastQuestion question = new ForecastQuestion();
        if (job != null) {
            JobFile file = job.read(err);
            List<FileProblem> problems = problemsOfCluster(configuration, file.demand());
            if (!problems.isEmpty()) {
                return report(problems);
            }
            question.job(file.spec(), optional(stepSeconds), optional(steps));
        }
        List<String> problems = changes(question);
        if (question.isEmpty() && problems.isEmpty()) {
            problems.add("Name a change: a job file, --policy, --queue-limit, --lose-node or --add-node");
        }
        if (!problems.isEmpty()) {
            problems.forEach(err::println);
            return INVALID;
        }
        JsonNode answer = environment.scheduler(configuration).ask("/what-if", question.json());
        if (output.isForPrograms()) {
            output.print(out, answer);
        } else {
            new ForecastText(out).whatIf(answer);
        }
        return 0;
    }

    private static OptionalDouble optional(@Nullable Double value) {
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** Adds the changes besides a job; returns what is wrong with them. */
    private List<String> changes(ForecastQuestion question) {
        List<String> problems = new ArrayList<>();
        for (String policy : policies) {
            int equals = policy.lastIndexOf('=');
            question.policy(equals < 0 ? "" : policy.substring(0, equals), policy.substring(equals + 1));
        }
        limits.forEach(question::limit);
        lostNodes.forEach(question::loseNode);
        addedNodes.forEach(node -> add(node, question, problems));
        if (job == null && (stepSeconds != null || steps != null)) {
            problems.add("--step-seconds and --steps are about a job: name its file");
        }
        if (stepSeconds != null && !(stepSeconds > 0)) {
            problems.add("--step-seconds must be above 0, not " + stepSeconds);
        }
        return problems;
    }

    private static void add(String node, ForecastQuestion question, List<String> problems) {
        Map<String, Long> resources = new HashMap<>();
        String type = "";
        for (String part : node.split(",", -1)) {
            String[] pair = part.split("=", 2);
            String value = pair.length == 2 ? pair[1].strip() : "";
            switch (pair[0].strip()) {
                case "memory" -> amount(Resources.MEMORY_MB, value, node, resources, problems);
                case "vcores" -> amount(Resources.VCORES, value, node, resources, problems);
                case "gpus" -> amount(Resources.GPUS, value, node, resources, problems);
                case "type" -> type = value;
                default -> problems.add(
                        "--add-node " + node + ": " + pair[0] + " is none of memory, vcores, gpus, type");
            }
        }
        question.addNode(resources, type);
    }

    private static void amount(
            String resource, String value, String node, Map<String, Long> resources, List<String> problems) {
        try {
            resources.put(resource, Long.parseLong(value));
        } catch (NumberFormatException e) {
            problems.add("--add-node " + node + ": " + value + " is no whole number");
        }
    }
}
