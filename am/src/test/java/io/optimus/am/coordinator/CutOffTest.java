package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.Test;

/** In seconds instead of nanoseconds. */
public class CutOffTest {
    private final CutOff cut = new CutOff(5, 600);

    @Test
    public void silenceOfYarnAndOfAllTasksElsewhereIsACut() {
        cut.yarnAnswers();
        assertThat(cut.tick(10, OptionalLong.of(10))).isZero();
        assertThat(cut.tick(15, OptionalLong.of(10))).isZero();
        assertThat(cut.explainsSilence(15, 10)).isFalse();
        cut.tick(16, OptionalLong.of(10));
        assertThat(cut.explainsSilence(16, 10)).isTrue();
        cut.tick(40, OptionalLong.of(10));
        assertThat(cut.explainsSilence(40, 10)).isTrue();

        cut.yarnAnswers();
        assertThat(cut.tick(41, OptionalLong.of(10))).as("how long it was").isEqualTo(30);
        assertThat(cut.explainsSilence(69, 10))
                .as("tasks get as much time to be heard again")
                .isTrue();
        assertThat(cut.explainsSilence(69, 45)).as("one that was heard again").isFalse();
        assertThat(cut.explainsSilence(70, 10)).isFalse();
        assertThat(cut.tick(42, OptionalLong.of(42))).isZero();
    }

    @Test
    public void whileYarnAnswersTasksAreSilentThemselves() {
        for (int now = 10; now < 60; now++) {
            cut.yarnAnswers();
            cut.tick(now, OptionalLong.of(10));
            assertThat(cut.explainsSilence(now, 10)).isFalse();
        }
    }

    @Test
    public void whileOneTaskElsewhereIsHeardYarnAloneIsSilent() {
        cut.yarnAnswers();
        for (int now = 10; now < 60; now++) {
            cut.tick(now, OptionalLong.of(now));
            assertThat(cut.explainsSilence(now, 10)).isFalse();
        }
    }

    @Test
    public void withoutTasksElsewhereAndWithoutYarnThereIsNoCut() {
        cut.tick(10, OptionalLong.of(1));
        assertThat(cut.explainsSilence(10, 10)).as("YARN has never answered").isFalse();
        cut.yarnAnswers();
        cut.tick(11, OptionalLong.empty());
        cut.tick(60, OptionalLong.empty());
        assertThat(cut.explainsSilence(60, 10)).isFalse();
    }

    @Test
    public void aCutThatDoesNotEndIsNoExcuseForEver() {
        cut.yarnAnswers();
        cut.tick(0, OptionalLong.of(0));
        cut.tick(599, OptionalLong.of(0));
        assertThat(cut.explainsSilence(599, 0)).isTrue();
        cut.tick(600, OptionalLong.of(0));
        assertThat(cut.explainsSilence(600, 0)).isFalse();
    }
}
