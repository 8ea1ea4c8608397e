package io.optimus.am.engine;

import java.util.Arrays;
import java.util.List;

/**
 * One tensor of a model, as a range of the flat parameter vector.
 *
 * @param name unique within the model
 * @param shape the lengths of the tensor's dimensions, each 1 or more, the last one contiguous; empty for a scalar
 * @param kind what parameter servers do with a push of it
 * @param group the optimizer's parameter group, 0 or more, whose learning rate and weight decay apply; 0 for other kinds
 */
public record ParameterBlock(String name, List<Integer> shape, Kind kind, int group) {
    /** What parameter servers do with a push of a block. */
    public enum Kind {
        /** A gradient is pushed, which the optimizer applies. */
        PARAMETER,
        /** A statistic (batch normalisation): its new value is pushed and averaged over the workers. */
        STATISTIC,
        /** State of the program, which every worker has alike: the value of the first worker counts. */
        STATE,
        /** State of the program's own optimizer. Parameter servers do not hold it. */
        OPTIMIZER
    }

    public ParameterBlock {
        shape = List.copyOf(shape);
        if (shape.stream().anyMatch(length -> length < 1) || group < 0) {
            throw new IllegalArgumentException("A block needs lengths of at least 1 and a group of at least 0, " + name
                    + " has " + shape + " and group " + group);
        }
        if (shape.stream().mapToDouble(length -> length).reduce(1, (product, length) -> product * length)
                > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "A tensor has at most " + Integer.MAX_VALUE + " floats, " + name + " has the shape " + shape);
        }
    }

    /** A block that the optimizer trains, in the first parameter group. */
    public static ParameterBlock parameter(String name, int... shape) {
        return new ParameterBlock(name, boxed(shape), Kind.PARAMETER, 0);
    }

    /** A block that is averaged over the workers. */
    public static ParameterBlock statistic(String name, int... shape) {
        return new ParameterBlock(name, boxed(shape), Kind.STATISTIC, 0);
    }

    /** The length of the range, 1 or more. */
    public int floats() {
        return shape.stream().reduce(1, (product, length) -> product * length);
    }

    /** Whether the optimizer applies a gradient to this block. */
    public boolean trainable() {
        return kind == Kind.PARAMETER;
    }

    private static List<Integer> boxed(int[] shape) {
        return Arrays.stream(shape).boxed().toList();
    }
}
