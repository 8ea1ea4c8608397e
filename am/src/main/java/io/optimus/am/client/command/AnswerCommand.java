package io.optimus.am.client.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.optimus.am.client.cluster.SchedulerClient;
import java.io.IOException;
import java.io.PrintWriter;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Mixin;

/** A command that prints one answer of the scheduler: whole for programs, else as a table. */
public abstract class AnswerCommand extends ClusterCommand {
    @Mixin
    private final OutputOption output = new OutputOption();

    protected AnswerCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    protected final int run(Configuration configuration) throws IOException {
        JsonNode answer = ask(environment.scheduler(configuration));
        if (output.isForPrograms()) {
            output.print(out, answer);
        } else {
            print(answer);
        }
        return 0;
    }

    /** Asks the scheduler. */
    protected abstract JsonNode ask(SchedulerClient scheduler) throws IOException;

    /** Prints the answer for people. */
    protected abstract void print(JsonNode answer);
}
