package io.optimus.am.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

public class VisibleGpusTest {
    private static final String CONTAINER = "container_1700000000000_0001_01_000002";
    private static final String OTHER = "container_1700000000000_0001_01_000003";

    @Rule
    public final TemporaryFolder devices = new TemporaryFolder();

    @Rule
    public final Timeout timeout = new Timeout(1, TimeUnit.MINUTES);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> requests = new ArrayList<>();
    private HttpServer nodeManager;

    /** The JDK's server reads its limits once in a JVM, where other tests need those that the tracking page sets. */
    @BeforeClass
    public static void limitRequests() throws ClassNotFoundException {
        Class.forName("io.optimus.am.master.page.TrackingPage");
    }

    @Before
    public void startNodeManager() throws IOException {
        nodeManager = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        nodeManager.setExecutor(threads);
        nodeManager.start();
    }

    @After
    public void stopNodeManager() {
        nodeManager.stop(0);
        threads.shutdownNow();
    }

    @Test
    public void aProgramWithoutGpusSeesNone() throws IOException {
        gpusOfNode(4);
        VisibleGpus visible = find(0, Map.of());
        assertThat(visible.variables()).isEqualTo(Map.of("CUDA_VISIBLE_DEVICES", ""));
        assertThat(visible.certain()).isTrue();
    }

    @Test
    public void ownersChoiceWins() throws IOException {
        gpusOfNode(4);
        VisibleGpus visible = find(2, Map.of("CUDA_VISIBLE_DEVICES", "3"));
        assertThat(visible.variables()).isEmpty();
        assertThat(visible.certain()).isTrue();
        assertThat(find(0, Map.of("CUDA_VISIBLE_DEVICES", "3")).variables()).isEmpty();
        assertThat(requests).isEmpty();
    }

    @Test
    public void leavesAContainerThatCanOpenItsOwnGpusOnly() throws IOException {
        gpusOfNode(2);
        // The others' files are there, but the container must not open them.
        Files.createSymbolicLink(device("nvidia2"), Path.of("closed"));
        Files.createSymbolicLink(device("nvidia3"), Path.of("closed"));
        VisibleGpus visible = find(2, Map.of());
        assertThat(visible.variables()).isEmpty();
        assertThat(visible.certain()).isTrue();
        assertThat(requests).isEmpty();
    }

    @Test
    public void warnsOfAContainerThatCanOpenFewerThanAsked() throws IOException {
        gpusOfNode(1);
        VisibleGpus visible = find(2, Map.of());
        assertThat(visible.variables()).isEmpty();
        assertThat(visible.certain()).isFalse();
        assertThat(visible.explanation()).contains("asks for 2 GPUs").contains("can open 1");
    }

    @Test
    public void namesTheGpusThatTheNodeManagerHasAssigned() throws IOException {
        gpusOfNode(4);
        answer(200, assigned(device(3, CONTAINER), device(0, OTHER), device(1, CONTAINER)));
        VisibleGpus visible = find(2, Map.of());
        assertThat(visible.variables())
                .isEqualTo(Map.of("CUDA_VISIBLE_DEVICES", "1,3", "CUDA_DEVICE_ORDER", "PCI_BUS_ID"));
        assertThat(visible.certain()).isTrue();
        assertThat(requests).containsExactly("/ws/v1/node/resources/yarn.io%2Fgpu?user.name=ann");
    }

    @Test
    public void understandsASingleDeviceWithinAnotherObject() throws IOException {
        answer(
                200,
                "{\"nmGpuResourceInfo\": {\"assignedGpuDevices\": {\"index\": \"2\", \"containerId\": \"" + CONTAINER
                        + "\"}}}");
        assertThat(find(1, Map.of()).variables()).containsEntry("CUDA_VISIBLE_DEVICES", "2");
    }

    @Test
    public void warnsWithBothNumbersWhereTheNodeManagerNamesOthers() throws IOException {
        gpusOfNode(4);
        answer(200, assigned(device(2, CONTAINER)));
        VisibleGpus visible = find(2, Map.of());
        assertThat(visible.variables()).containsEntry("CUDA_VISIBLE_DEVICES", "2");
        assertThat(visible.certain()).isFalse();
        assertThat(visible.explanation()).contains("asks for 2").contains("assigned 1");
    }

    @Test
    public void warnsWhereTheNodeManagerHasAssignedNone() throws IOException {
        gpusOfNode(4);
        answer(200, assigned(device(2, OTHER)));
        assertWarns("asks for 1 GPU,", "assigned 0", "what it can open, 4 GPUs", "docs/gpus.md");
    }

    @Test
    public void warnsWhereTheNodeManagerHasNoPlugin() throws IOException {
        answer(200, "{}");
        assertWarns("yarn.nodemanager.resource-plugins must list yarn.io/gpu", "docs/gpus.md");
    }

    @Test
    public void warnsWhereTheNodeManagerWantsKerberos() throws IOException {
        answer(401, "<html>Authentication required</html>");
        assertWarns("wants a Kerberos ticket (HTTP 401)");
    }

    @Test
    public void warnsOfErrors() throws IOException {
        answer(500, "{\"RemoteException\": {\"message\": \"Linux Container Executor is not configured\"}}");
        assertWarns("HTTP 500", "Linux Container Executor is not configured");
        assertThat(requests).hasSize(2);
    }

    @Test
    public void warnsOfGarbage() throws IOException {
        answer(200, "<html>not\nJSON " + "x".repeat(10_000));
        assertWarns("did not answer in JSON: '<html>not JSON xxx");
    }

    @Test
    public void warnsOfADeviceWithoutANumber() throws IOException {
        answer(200, assigned("{\"index\": -1, \"containerId\": \"" + CONTAINER + "\"}"));
        assertWarns("names a GPU without a number");
    }

    @Test
    public void aSecondTryMaySucceed() {
        List<String> answers = new ArrayList<>(List.of("busy", assigned(device(1, CONTAINER))));
        nodeManager.createContext("/", exchange -> {
            String body = answers.remove(0);
            exchange.sendResponseHeaders(answers.isEmpty() ? 200 : 503, body.length());
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body.getBytes(StandardCharsets.UTF_8));
            }
        });
        assertThat(find(1, Map.of()).variables()).containsEntry("CUDA_VISIBLE_DEVICES", "1");
    }

    /** A node manager that never finishes its answer. */
    @Test
    public void givesUpOnASlowNodeManager() {
        nodeManager.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
        });
        NodeManagerGpus slow = new NodeManagerGpus(
                host(), nodeManager.getAddress().getPort(), CONTAINER, "ann", Duration.ofMillis(200));
        assertThat(catchThrowableOfType(IOException.class, slow::assigned))
                .hasMessageContaining("http: no answer within 200 ms");
    }

    @Test
    public void warnsWhereNobodyListens() {
        nodeManager.stop(0);
        assertWarns("does not answer (http: java.net.ConnectException");
    }

    @Test
    public void warnsOutsideOfYarn() {
        VisibleGpus visible = VisibleGpus.find(1, Map.of(), devices.getRoot().toPath());
        assertThat(visible.variables()).isEmpty();
        assertThat(visible.explanation()).contains("NM_HOST=''").contains("CONTAINER_ID=''");
    }

    private void assertWarns(String... parts) {
        VisibleGpus visible = find(1, Map.of());
        assertThat(visible.variables()).isEmpty();
        assertThat(visible.certain()).isFalse();
        assertThat(visible.explanation()).contains(parts).hasSizeLessThan(800);
    }

    private VisibleGpus find(int asked, Map<String, String> owners) {
        Map<String, String> environment = new HashMap<>(owners);
        environment.put("NM_HOST", host());
        environment.put("NM_HTTP_PORT", String.valueOf(nodeManager.getAddress().getPort()));
        environment.put("CONTAINER_ID", CONTAINER);
        environment.put("USER", "ann");
        return VisibleGpus.find(asked, environment, devices.getRoot().toPath());
    }

    private static String host() {
        return InetAddress.getLoopbackAddress().getHostAddress();
    }

    private Path device(String name) {
        return devices.getRoot().toPath().resolve(name);
    }

    private void gpusOfNode(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            Files.createFile(device("nvidia" + i));
        }
        Files.createFile(device("nvidiactl"));
        Files.createFile(device("nvidia-uvm"));
    }

    private void answer(int status, String body) {
        nodeManager.createContext("/", exchange -> {
            synchronized (requests) {
                requests.add(exchange.getRequestURI().toString());
            }
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(bytes);
            }
        });
    }

    /** The answer of a NodeManager of Hadoop 3.4.2, shortened. */
    private static String assigned(String... devices) {
        return "{\"gpuDeviceInformation\":{\"gpus\":[{\"productName\":\"Tesla P100-PCIE-12GB\",\"minorNumber\":14}],"
                + "\"driverVersion\":\"375.66\"},\"totalGpuDevices\":[{\"index\":0,\"minorNumber\":14}],"
                + "\"assignedGpuDevices\":[" + String.join(",", devices) + "]}";
    }

    private static String device(int index, String container) {
        return "{\"index\": " + index + ", \"minorNumber\": " + (9 - index) + ", \"containerId\": \"" + container
                + "\"}";
    }
}
