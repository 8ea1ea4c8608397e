package io.optimus.am.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.am.dataset.SampleSets;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.engine.plain.PlainPerceptron;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class WarmStartTest {
    private static final String BIAS = "{\"name\":\"dense1.bias\",\"shape\":[10],\"kind\":\"PARAMETER\",\"group\":0}";
    private static final String WEIGHT =
            "{\"name\":\"dense1.weight\",\"shape\":[64,10],\"kind\":\"PARAMETER\",\"group\":0}";
    private static final String STATE = "{\"name\":\"state\",\"shape\":[5],\"kind\":\"STATE\",\"group\":0}";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void beginsWithTheSavedParametersByName() throws IOException {
        // In another order than the engine's, and with the state of a program.
        Path model = model(655, STATE, BIAS, WEIGHT);

        try (TrainingEngine engine = new WarmStart(softmaxRegression(), model)) {
            engine.initialise(3);

            List<Integer> shape = engine.blocks().get(0).shape();
            assertThat(shape).as("the engine's first block is the weight").hasSize(2);
            assertThat(engine.parameters().get(0)).isEqualTo(15);
            assertThat(engine.parameters().get(639)).isEqualTo(654);
            assertThat(engine.parameters().get(640)).isEqualTo(5);
            assertThat(engine.parameters().get(649)).isEqualTo(14);
        }
    }

    @Test
    public void namesTheDifferencesToAnotherModel() throws IOException {
        Path model =
                model(21, BIAS.replace("10", "1"), BIAS.replace("dense1", "dense2"), BIAS.replace("dense1", "dense3"));

        assertThatThrownBy(() -> new WarmStart(softmaxRegression(), model))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("start.model is of another model: ")
                .hasMessageContaining("dense1.weight[64, 10] is only in the job's model")
                .hasMessageContaining("dense1.bias is [1] in start.model and [10] in the job's model")
                .hasMessageContaining("dense2.bias[10] is only in start.model");
    }

    @Test
    public void refusesOtherFilesAndDamagedOnes() throws IOException {
        Path text = folder.newFile().toPath();
        for (String content : List.of("", "import torch", "{}\n", "[1]\n", "not json\n")) {
            Files.writeString(text, content);
            assertThatThrownBy(() -> new WarmStart(softmaxRegression(), text))
                    .as(content)
                    .hasMessageContaining("start.model is no model of Optimus: name the model.bin");
        }
        Path cut = model(649, BIAS, WEIGHT);
        assertThatThrownBy(() -> new WarmStart(softmaxRegression(), cut))
                .hasMessageContaining("start.model is damaged");
    }

    private static TrainingEngine softmaxRegression() {
        return new PlainPerceptron(SampleSets.digits(), List.of());
    }

    /** A model whose floats count up from 0. */
    private Path model(int floats, String... blocks) throws IOException {
        String header = "{\"blocks\":[" + String.join(",", blocks) + "],\"format\":\"optimus-model\"}  \n";
        byte[] text = header.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(text.length + floats * Float.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(text);
        for (int i = 0; i < floats; i++) {
            bytes.putFloat(i);
        }
        Path file = folder.newFile().toPath();
        Files.write(file, bytes.array());
        return file;
    }
}
