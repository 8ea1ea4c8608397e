package io.optimus.yarn.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.optimus.yarn.jobs.Jobs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.Test;

public final class PageTest {
    private static final List<ApplicationId> ALL =
            IntStream.rangeClosed(1, 7).mapToObj(PageTest::id).toList();

    private static ApplicationId id(int number) {
        return Jobs.attempt(number, 1).getApplicationId();
    }

    @Test
    public void pagesHaveEveryEntryOnce() {
        List<ApplicationId> seen = new ArrayList<>();
        Optional<String> after = Optional.empty();
        int pages = 0;
        do {
            Page.Ids page = Page.of("3", after.orElse(null)).of(ALL, id -> true, id -> 1, 100);
            assertThat(page.ids()).hasSizeLessThanOrEqualTo(3);
            seen.addAll(page.ids());
            after = page.next();
            pages++;
        } while (after.isPresent());
        assertThat(seen).isEqualTo(ALL);
        assertThat(pages).isEqualTo(3);
    }

    @Test
    public void countsOnlyWhatTheCallerMaySee() {
        Page.Ids page = Page.of("3", null).of(ALL, id -> id.getId() % 2 == 1, id -> 1, 100);
        assertThat(page.ids()).containsExactly(id(1), id(3), id(5));
        assertThat(page.next()).contains(id(5).toString());
    }

    @Test
    public void endsWhereItsEntriesWouldBeTooLarge() {
        Page.Ids page = Page.of(null, null).of(ALL, id -> true, id -> 40, 100);
        assertThat(page.ids()).hasSize(2);
        assertThat(Page.of(null, null).of(ALL, id -> true, id -> 1000, 100).ids())
                .as("one entry in any case")
                .hasSize(1);
    }

    @Test
    public void refusesWhatIsNoPage() {
        for (String limit : List.of("0", "1001", "many", "-1", "99999999999")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Page.of(limit, null))
                    .withMessageContaining("1 to 1000");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Page.of(null, "job 7"))
                .withMessageContaining("id of an application");
    }
}
