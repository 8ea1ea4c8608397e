package io.optimus.protocol.setting;

import java.util.List;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;

/** Stops the start of a scheduler whose configuration has problems: all of them, each with its remedy. */
public final class InvalidSettingsException extends YarnRuntimeException {
    private static final long serialVersionUID = 1;

    /** With at least one problem. */
    public InvalidSettingsException(List<String> problems) {
        super(problems.size() + " configuration problem(s):\n  " + String.join("\n  ", problems));
    }
}
