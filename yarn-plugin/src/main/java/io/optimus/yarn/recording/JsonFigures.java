package io.optimus.yarn.recording;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import java.math.BigDecimal;
import java.math.MathContext;

/** Figures in JSON, as short as a reader needs them. */
final class JsonFigures {
    /** More digits than losses and predictions are good for. */
    private static final MathContext DIGITS = new MathContext(6);

    /** Fits and means change a little with every report; fewer digits mean fewer changes to write. */
    private static final MathContext FEW_DIGITS = new MathContext(3);

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private JsonFigures() {}

    /** Adds {@code value} to {@code array}, or null if it is not finite. */
    static void add(ArrayNode array, double value) {
        if (Double.isFinite(value)) {
            array.add(new BigDecimal(value).round(DIGITS).stripTrailingZeros());
        } else {
            array.addNull();
        }
    }

    /** Sets a figure, unless it is not finite. */
    static void put(ObjectNode json, String name, double value) {
        if (Double.isFinite(value)) {
            json.put(name, new BigDecimal(value).round(DIGITS).stripTrailingZeros());
        }
    }

    static BigDecimal fewDigits(double value) {
        return new BigDecimal(value).round(FEW_DIGITS).stripTrailingZeros();
    }

    /** {@code [parameter servers, workers]}. */
    static ArrayNode size(Allocation size) {
        return NODES.arrayNode().add(size.parameterServers()).add(size.workers());
    }

    /** {@code [parameter servers, workers, nodes]}. */
    static ArrayNode size(Placement placement) {
        return size(placement.allocation()).add(placement.byNode().size());
    }

    /** Amounts by name, as YARN names resources. */
    static ObjectNode resources(Resources resources) {
        ObjectNode json = NODES.objectNode();
        resources.amounts().forEach(json::put);
        return json;
    }
}
