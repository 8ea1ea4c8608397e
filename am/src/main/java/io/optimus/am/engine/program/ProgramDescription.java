package io.optimus.am.engine.program;

import io.optimus.am.engine.Communication;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.ParameterBlock.Kind;
import io.optimus.am.engine.ProgramSettings;
import io.optimus.am.engine.program.ProgramMessage.Block;
import io.optimus.am.engine.program.ProgramMessage.Ready;
import io.optimus.model.losses.AnnouncedBends;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a program trains.
 *
 * @param blocks the ranges of the flat vectors
 * @param memory the vectors
 * @param samples the number of training samples, 1 or more
 * @param settings what the program decides
 * @param rendezvous the port at which it lets other programs meet; 0 if parameter servers apply gradients
 */
record ProgramDescription(
        List<ParameterBlock> blocks, SharedMemory memory, int samples, ProgramSettings settings, int rendezvous) {
    /**
     * Checks a program's own description and maps its memory.
     *
     * @throws IOException naming the value that does not fit
     */
    static ProgramDescription of(Ready ready, Communication communication, Path folder) throws IOException {
        atLeastOne("training samples", ready.samples());
        atLeastOne("samples in a batch", ready.batch());
        atLeastOne("epochs", ready.epochs());
        atLeastOne("parameter groups", ready.groups());
        List<ParameterBlock> blocks = blocks(ready);
        Optimizer optimizer = ready.optimizer().optimizer();
        check(optimizer);
        boolean group = communication != Communication.PARAMETER_SERVER;
        if (!group && optimizer instanceof Optimizer.Own own) {
            throw new IOException("Parameter servers cannot apply the program's optimizer " + own.name()
                    + ": use SGD, Adam or AdamW, or 'update: worker' in the job file");
        }
        if (group && ready.rendezvous().isEmpty()) {
            throw new IOException("The program names no port at which programs meet, which a job needs whose workers"
                    + " hold the parameters: use the package optimus_yarn of this cluster's optimus-am.jar");
        }
        long gradientFloats =
                switch (communication) {
                    case PARAMETER_SERVER -> ready.memory().floats();
                    case AVERAGING_SERVER -> averagedFloats(blocks);
                    case ALL_REDUCE -> 0;
                };
        ProgramSettings settings =
                new ProgramSettings(ready.batch(), ready.epochs(), optimizer, ready.groups(), bends(ready.bends()));
        // Last, because the memory goes with a program that ends here: a wrong value is the better diagnosis.
        SharedMemory memory = SharedMemory.map(ready.memory(), folder, gradientFloats);
        return new ProgramDescription(
                blocks,
                memory,
                ready.samples(),
                settings,
                group ? ready.rendezvous().orElse(0) : 0);
    }

    private static long averagedFloats(List<ParameterBlock> blocks) throws IOException {
        long floats = 0;
        boolean ended = false;
        for (ParameterBlock block : blocks) {
            boolean isAveraged = block.kind() == Kind.PARAMETER || block.kind() == Kind.STATISTIC;
            if (isAveraged && ended) {
                throw new IOException("Block '" + block.name() + "' must come before those that are not averaged");
            }
            ended |= !isAveraged;
            floats += isAveraged ? block.floats() : 0;
        }
        return floats;
    }

    private static AnnouncedBends bends(Optional<List<Double>> epochs) throws IOException {
        try {
            return new AnnouncedBends(epochs.orElse(List.of()));
        } catch (IllegalArgumentException e) {
            throw new IOException("The program announces impossible bends: " + e.getMessage(), e);
        }
    }

    private static void atLeastOne(String what, int value) throws IOException {
        if (value < 1) {
            throw new IOException("The program needs at least 1 of its " + what + ", got " + value);
        }
    }

    private static List<ParameterBlock> blocks(Ready ready) throws IOException {
        List<ParameterBlock> blocks = new ArrayList<>();
        Set<String> names = new HashSet<>();
        long floats = 0;
        boolean trains = false;
        for (Block block : ready.blocks()) {
            int group = block.group().orElse(0);
            if (group < 0 || group >= ready.groups()) {
                throw new IOException("A block needs a group from 0 to " + (ready.groups() - 1) + ", got " + block);
            }
            if (!names.add(block.name())) {
                throw new IOException("Two blocks of the program have the name '" + block.name() + "'");
            }
            ParameterBlock checked = checked(block, group);
            blocks.add(checked);
            trains |= checked.trainable();
            floats += checked.floats();
        }
        if (!trains) {
            throw new IOException("The program trains no parameter: give its optimizer some that require a gradient");
        }
        if (floats != ready.memory().floats()) {
            throw new IOException("The program's blocks have " + floats + " floats together, and its memory has "
                    + ready.memory().floats());
        }
        return blocks;
    }

    private static ParameterBlock checked(Block block, int group) throws IOException {
        try {
            return new ParameterBlock(block.name(), block.shape(), kind(block), group);
        } catch (IllegalArgumentException e) {
            throw new IOException("The program describes an impossible block: " + e.getMessage(), e);
        }
    }

    private static Kind kind(Block block) throws IOException {
        return switch (block.kind()) {
            case "parameter" -> Kind.PARAMETER;
            case "statistic" -> Kind.STATISTIC;
            case "state" -> Kind.STATE;
            case "optimizer" -> Kind.OPTIMIZER;
            default -> throw new IOException("Block '" + block.name() + "' has the unknown kind '" + block.kind()
                    + "': use parameter, statistic, state or optimizer");
        };
    }

    private static void check(Optimizer optimizer) throws IOException {
        // A schedule may warm up from a learning rate of 0.
        boolean fits = isAtLeastZero(optimizer.learningRate())
                && isAtLeastZero(optimizer.weightDecay())
                && optimizer.match(
                        sgd -> isDecay(sgd.momentum()),
                        adam -> isDecay(adam.beta1()) && isDecay(adam.beta2()) && isAtLeastZero(adam.epsilon()),
                        own -> true);
        if (!fits) {
            throw new IOException("The program's optimizer cannot be applied: " + optimizer
                    + "; rates must be 0 or more, momentum and betas in [0, 1)");
        }
    }

    private static boolean isAtLeastZero(double value) {
        return value >= 0 && value <= Double.MAX_VALUE;
    }

    private static boolean isDecay(double value) {
        return value >= 0 && value < 1;
    }
}
