package io.optimus.am.yaml;

/** A value is not what its key wants; the message says so and gives the remedy. */
final class InvalidValueException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient SourcePosition origin;

    InvalidValueException(YamlValue value, String sentence) {
        super(sentence);
        this.origin = value.origin();
    }

    SourcePosition origin() {
        return origin;
    }

    String sentence() {
        return String.valueOf(getMessage());
    }
}
