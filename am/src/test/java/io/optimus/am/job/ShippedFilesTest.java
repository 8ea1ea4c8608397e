package io.optimus.am.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Compares the examples in conf/jobs and the table in docs/job-file.md with the code. */
public final class ShippedFilesTest {
    /** The root of the project; tests run in the folder of their module. */
    private static final Path ROOT = Path.of("..");

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void everyExampleIsAJobFile() throws IOException, InvalidJobFileException {
        List<Path> examples = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(ROOT.resolve("conf/jobs"), "*.yaml")) {
            files.forEach(examples::add);
        }
        assertThat(examples).hasSizeGreaterThanOrEqualTo(5);
        for (Path example : examples) {
            // The data set of the file may be missing on this machine.
            JobSpec spec = JobFile.read(example, List.of("dataset=digits")).spec();
            // The table of the demo is narrow, so its jobs have shorter names than their files.
            if (!example.getFileName().toString().startsWith("demo-")) {
                assertThat(example.getFileName().toString()).isEqualTo(spec.name() + ".yaml");
            }
        }
    }

    @Test
    public void everyExampleOfAProgramIsAJobFileWithItsFiles() throws IOException, InvalidJobFileException {
        List<Path> examples = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(ROOT.resolve("conf/examples"))) {
            folders.forEach(examples::add);
        }
        // An example of TonY's has a tony.xml.
        examples.removeIf(example -> Files.notExists(example.resolve("job.yaml")));
        assertThat(examples).hasSizeGreaterThanOrEqualTo(4);
        for (Path example : examples) {
            JobFile file = JobFile.read(example.resolve("job.yaml"), List.of());
            assertThat(file.spec().name()).isEqualTo(String.valueOf(example.getFileName()));
            assertThat(file.uploads()).as("%s sends its program", example).isNotEmpty();
            assertThat(Files.readAllLines(example.resolve("README.md")))
                    .as("README of %s", example)
                    .hasSizeLessThanOrEqualTo(20)
                    .anyMatch(line -> line.contains("scripts/optimus submit conf/examples/"
                            + file.spec().name()));
        }
    }

    @Test
    public void theAdaptiveExampleIsTheOtherOneWithABatch() throws IOException, InvalidJobFileException {
        Path folder = ROOT.resolve("conf/examples/digits-all-reduce");
        JobSpec adaptive =
                JobFile.read(folder.resolve("job-adaptive.yaml"), List.of()).spec();
        JobSpec fixed = JobFile.read(folder.resolve("job.yaml"), List.of()).spec();

        assertThat(adaptive.batch().adapts()).isTrue();
        assertThat(fixed.batch()).isEqualTo(BatchSpec.FIXED);
        assertThat(adaptive.workerFiles()).isEqualTo(fixed.workerFiles());
    }

    @Test
    public void theSmallestExampleStaysSmall() throws IOException, InvalidJobFileException {
        Path example = ROOT.resolve("conf/examples/digits-cnn");
        JobFile file = JobFile.read(example.resolve("job.yaml"), List.of());
        assertThat(file.uploads()).extracting(WorkerFile::alias).containsExactly("train.py", "digits.csv.gz");
        try (Stream<String> lines = Files.lines(example.resolve("train.py"))) {
            assertThat(lines.count()).isLessThanOrEqualTo(60);
        }
    }

    @Test
    public void theExampleInTheDocumentationIsRefusedOnlyForFilesThatAreNotThere() throws IOException {
        String documentation = Files.readString(ROOT.resolve("docs/job-file.md"));
        int begin =
                documentation.indexOf("```yaml\n", documentation.indexOf("## Your own program")) + "```yaml\n".length();
        Path example = folder.newFile("program.yaml").toPath();
        Files.writeString(example, documentation.substring(begin, documentation.indexOf("```", begin)));

        InvalidJobFileException wrong =
                catchThrowableOfType(InvalidJobFileException.class, () -> JobFile.read(example, List.of()));
        assertThat(wrong.problems()).hasSize(3).allSatisfy(problem -> assertThat(problem.sentence())
                .startsWith("there is no file"));
    }

    @Test
    public void theExampleInTheReadmeIsAJobFile() throws IOException, InvalidJobFileException {
        String readme = Files.readString(ROOT.resolve("README.md"));
        int begin = readme.indexOf("```yaml\n") + "```yaml\n".length();
        Path example = folder.newFile("readme.yaml").toPath();
        Files.writeString(example, readme.substring(begin, readme.indexOf("```", begin)));

        assertThat(JobFile.read(example, List.of()).spec().name()).isEqualTo("digits");
    }

    @Test
    public void theExampleWithADataFolderSaysHowToGetIt() throws IOException, InvalidJobFileException {
        Path example = ROOT.resolve("conf/jobs/fashion-lenet.yaml");
        assertThat(JobFile.read(example, List.of()).spec().dataset()).startsWith("idx:");
        assertThat(Files.readString(example)).contains("dataset-fashion-mnist");
    }

    @Test
    public void theDocumentedTableOfKeysIsTheOneInTheCode() throws IOException {
        List<String> rows = JobKeys.TABLE.markdown().lines().toList();
        List<String> documented = Files.readAllLines(ROOT.resolve("docs/job-file.md"));
        assertThat(rows)
                .as("rows to add to docs/job-file.md")
                .filteredOn(row -> !documented.contains(row))
                .isEmpty();
        assertThat(documented).containsSequence(rows);
    }
}
