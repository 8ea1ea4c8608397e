package io.optimus.am.job;

/** A value is not what its key wants; the message says so and gives the remedy. */
final class WrongValueException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Origin origin;

    WrongValueException(YamlValue value, String sentence) {
        super(sentence);
        this.origin = value.origin();
    }

    Origin origin() {
        return origin;
    }

    String sentence() {
        return String.valueOf(getMessage());
    }
}
