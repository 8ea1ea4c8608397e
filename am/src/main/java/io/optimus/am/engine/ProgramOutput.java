package io.optimus.am.engine;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What an owner's program left when it had ended.
 *
 * @param folder the folder of the files that the job keeps; empty if the program made none
 * @param warnings what went wrong after training, in sentences
 */
public record ProgramOutput(Optional<Path> folder, List<String> warnings) {
    /** That of an engine without a program. */
    public static final ProgramOutput NONE = new ProgramOutput(Optional.empty(), List.of());

    public ProgramOutput {
        warnings = List.copyOf(warnings);
    }
}
