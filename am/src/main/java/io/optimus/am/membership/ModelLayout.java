package io.optimus.am.membership;

import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import java.util.ArrayList;
import java.util.List;

/**
 * The model as one flat vector.
 *
 * @param blocks its tensors, one behind the other
 * @param floats of all of them
 * @param statistics which floats are not trained
 */
public record ModelLayout(List<ParameterBlock> blocks, int floats, Ranges statistics) {
    public static final ModelLayout UNKNOWN = new ModelLayout(List.of(), 0, Ranges.NONE);

    public static ModelLayout of(List<ParameterBlock> blocks) {
        List<Range> still = new ArrayList<>();
        int floats = 0;
        for (ParameterBlock block : blocks) {
            if (!block.trainable()) {
                still.add(new Range(floats, block.floats()));
            }
            floats += block.floats();
        }
        return new ModelLayout(List.copyOf(blocks), floats, Ranges.of(still));
    }
}
