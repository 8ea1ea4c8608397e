package io.optimus.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.EnumValueDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * Messages of the protocol as JSON: fields have their names in camel case, and values of enumerations their own names.
 *
 * <p>Example: {@code {"version": 1, "name": "digits", "mode": "SYNCHRONOUS", "globalBatch": 64}}.
 */
public final class MessageJson {
    private static final int LONGEST_QUOTE = 60;

    private MessageJson() {}

    /** The fields of {@code message} that are set. */
    public static ObjectNode of(Message message) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        message.getAllFields().forEach((field, value) -> json.set(field.getJsonName(), value(field, value)));
        return json;
    }

    private static JsonNode value(FieldDescriptor field, Object value) {
        if (field.isRepeated()) {
            ArrayNode all = JsonNodeFactory.instance.arrayNode();
            ((Collection<?>) value).forEach(one -> all.add(single(field, one)));
            return all;
        }
        return single(field, value);
    }

    private static JsonNode single(FieldDescriptor field, Object value) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        return switch (field.getJavaType()) {
            case INT, LONG -> nodes.numberNode(((Number) value).longValue());
            case FLOAT, DOUBLE -> nodes.numberNode(((Number) value).doubleValue());
            case BOOLEAN -> nodes.booleanNode((Boolean) value);
            case STRING -> nodes.textNode((String) value);
            case ENUM -> nodes.textNode(((EnumValueDescriptor) value).getName());
            case MESSAGE -> of((Message) value);
            case BYTE_STRING -> throw new IllegalArgumentException("No message of the protocol has bytes");
        };
    }

    /**
     * Sets the fields that {@code json} names.
     *
     * @param where what {@code json} is, for problems: {@code job}
     * @param problems receives what is wrong; the message is of no use then
     */
    public static void read(JsonNode json, Message.Builder message, String where, List<String> problems) {
        if (!json.isObject()) {
            problems.add(where + " must be an object");
            return;
        }
        int before = problems.size();
        for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            Optional<FieldDescriptor> field = message.getDescriptorForType().getFields().stream()
                    .filter(one -> one.getJsonName().equals(name))
                    .findFirst();
            if (field.isEmpty()) {
                problems.add(where + " has no field " + OneLine.of(name, LONGEST_QUOTE));
            } else {
                set(json.path(name), message, field.get(), where + "." + name, problems);
            }
        }
        if (problems.size() == before && !message.isInitialized()) {
            message.findInitializationErrors().forEach(field -> problems.add(where + " lacks the field " + field));
        }
    }

    private static void set(
            JsonNode json, Message.Builder message, FieldDescriptor field, String where, List<String> problems) {
        if (!field.isRepeated()) {
            value(json, message, field, where, problems).ifPresent(value -> message.setField(field, value));
        } else if (json.isArray()) {
            json.forEach(one -> value(one, message, field, where, problems)
                    .ifPresent(value -> message.addRepeatedField(field, value)));
        } else {
            problems.add(where + " must be a list");
        }
    }

    private static Optional<Object> value(
            JsonNode json, Message.Builder message, FieldDescriptor field, String where, List<String> problems) {
        Optional<Object> value =
                switch (field.getJavaType()) {
                    case INT -> json.canConvertToInt() && json.isIntegralNumber()
                            ? Optional.of(json.intValue())
                            : Optional.empty();
                    case LONG -> json.canConvertToLong() && json.isIntegralNumber()
                            ? Optional.of(json.longValue())
                            : Optional.empty();
                    case DOUBLE -> json.isNumber() ? Optional.of(json.doubleValue()) : Optional.empty();
                    case FLOAT -> json.isNumber() ? Optional.of(json.floatValue()) : Optional.empty();
                    case BOOLEAN -> json.isBoolean() ? Optional.of(json.booleanValue()) : Optional.empty();
                    case STRING -> json.isTextual() ? Optional.of(json.textValue()) : Optional.empty();
                    case ENUM -> Optional.ofNullable(field.getEnumType().findValueByName(json.asText()));
                    case MESSAGE -> {
                        Message.Builder inner = message.newBuilderForField(field);
                        int before = problems.size();
                        read(json, inner, where, problems);
                        yield problems.size() == before ? Optional.of(inner.build()) : Optional.empty();
                    }
                    case BYTE_STRING -> Optional.empty();
                };
        if (value.isEmpty() && field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
            problems.add(where + " is not "
                    + (field.getJavaType() == FieldDescriptor.JavaType.ENUM
                            ? "one of "
                                    + field.getEnumType().getValues().stream()
                                            .map(EnumValueDescriptor::getName)
                                            .toList()
                            : "a " + field.getJavaType().name().toLowerCase(Locale.ROOT)));
        }
        return value;
    }
}
