package io.optimus.protocol.setting;

import java.util.List;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;

/** The configuration has problems; the message names all of them, each with its remedy. */
public final class InvalidSettingsException extends YarnRuntimeException {
    private static final long serialVersionUID = 1;

    /** Names {@code problems}, at least one. */
    public InvalidSettingsException(List<String> problems) {
        super(problems.size() + " configuration problem(s):\n  " + String.join("\n  ", problems));
    }
}
