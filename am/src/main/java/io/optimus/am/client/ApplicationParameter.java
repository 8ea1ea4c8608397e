package io.optimus.am.client;

import org.apache.hadoop.yarn.api.records.ApplicationId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an application id from the command line. */
final class ApplicationParameter implements ITypeConverter<ApplicationId> {
    @Override
    public ApplicationId convert(String text) {
        try {
            return ApplicationId.fromString(text);
        } catch (IllegalArgumentException wrong) {
            throw new TypeConversionException("'" + text + "' is no application id: one is like"
                    + " application_1700000000000_0001; see the command list");
        }
    }
}
