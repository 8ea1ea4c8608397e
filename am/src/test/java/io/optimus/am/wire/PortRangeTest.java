package io.optimus.am.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import org.junit.Test;

public final class PortRangeTest {
    @Test
    public void readsWhatItWrites() {
        assertThat(PortRange.parse(" 50100-50400 ")).isEqualTo(new PortRange(50_100, 50_400));
        assertThat(PortRange.parse("")).isEqualTo(PortRange.ANY);
        assertThat(PortRange.parse(PortRange.ANY.toString())).isEqualTo(PortRange.ANY);
        assertThat(PortRange.parse(new PortRange(7, 7).toString())).isEqualTo(new PortRange(7, 7));
    }

    @Test
    public void refusesWhatIsNoRange() {
        for (String text : new String[] {"50100", "0-10", "20-10", "1-65536", "50100-", "a-b"}) {
            assertThatThrownBy(() -> PortRange.parse(text)).hasMessageContaining("yarn.optimus.port-range must be two");
        }
    }

    @Test
    public void takesAFreePortOfTheRangeAndSaysWhenThereIsNone() throws IOException {
        try (ServerSocket taken = new ServerSocket(0);
                ServerSocket listening = new ServerSocket()) {
            PortRange range = new PortRange(taken.getLocalPort(), taken.getLocalPort());

            assertThatThrownBy(() -> open(range, listening))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining("No port of " + range + " is free");

            taken.close();
            open(range, listening);
            assertThat(listening.getLocalPort()).isEqualTo(range.first());
        }
    }

    @Test
    public void passesOverPortsThatOthersListenOn() throws IOException {
        PortRange range = new PortRange(40_000, 40_003);
        int[] tried = {0};

        int port = range.open(address -> {
            if (tried[0]++ < 3) {
                throw new BindException("taken");
            }
            return address.getPort();
        });

        assertThat(tried[0]).isEqualTo(4);
        assertThat(port).isBetween(range.first(), range.last());
    }

    private static void open(PortRange range, ServerSocket socket) throws IOException {
        int unused = range.open(address -> {
            socket.bind(address);
            return socket.getLocalPort();
        });
    }
}
