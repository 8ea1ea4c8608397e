package io.optimus.am.client.command;

import org.apache.hadoop.yarn.api.records.ApplicationId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an application id from the command line. */
public final class IdConverter implements ITypeConverter<ApplicationId> {
    @Override
    public ApplicationId convert(String text) {
        try {
            return ApplicationId.fromString(text);
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException("'" + text + "' is not an application id: give one like"
                    + " application_1700000000000_0001; the command list shows them");
        }
    }
}
