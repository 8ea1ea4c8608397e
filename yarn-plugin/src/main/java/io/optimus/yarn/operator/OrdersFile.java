package io.optimus.yarn.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.model.Allocation;
import io.optimus.protocol.OneLine;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.EnumSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The file that keeps the orders of administrators over failovers and restarts of the ResourceManager, as JSON on any file
 * system of Hadoop. It is written whole beside its place, and renamed.
 */
public final class OrdersFile {
    private static final int VERSION = 1;
    private static final int LONGEST_QUOTE = 200;
    private static final String BY = "by";
    private static final String SINCE = "sinceMillis";

    private final Path path;
    private final Configuration configuration;
    private final ObjectMapper mapper = new ObjectMapper();

    /**
     * The orders at {@code path}, which need not exist yet.
     *
     * @param configuration names the file systems
     */
    public OrdersFile(Path path, Configuration configuration) {
        this.path = path;
        this.configuration = configuration;
    }

    /**
     * Reads the orders; none if there is no file.
     *
     * @throws IOException if the file cannot be read or holds no orders; the message names the file and the remedy
     */
    OperatorOrders.InForce read() throws IOException {
        try (InputStream in = files().open(path)) {
            return orders(mapper.readTree(in));
        } catch (FileNotFoundException none) {
            return OperatorOrders.InForce.NONE;
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException(
                    "the orders in " + path + " cannot be read: "
                            + OneLine.of(String.valueOf(e.getMessage()), LONGEST_QUOTE)
                            + ". Remedy: mend the file or its file system, or remove the file and give the orders again",
                    e);
        }
    }

    /**
     * Replaces what is in the file.
     *
     * @throws IOException if that fails; the file is then as before
     */
    void write(OperatorOrders.InForce orders) throws IOException {
        FileContext files = files();
        Path next = path.suffix(".new");
        try (OutputStream out = files.create(
                next, EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE), Options.CreateOpts.createParent())) {
            out.write(mapper.writerWithDefaultPrettyPrinter().writeValueAsBytes(json(orders)));
        }
        files.rename(next, path, Options.Rename.OVERWRITE);
    }

    private FileContext files() throws IOException {
        return FileContext.getFileContext(path.toUri(), configuration);
    }

    private ObjectNode json(OperatorOrders.InForce orders) {
        ObjectNode json = mapper.createObjectNode().put("version", VERSION);
        orders.pause().ifPresent(order -> json.set("pause", json(order)));
        ObjectNode nodes = json.putObject("drainedNodes");
        orders.drainedNodes().forEach((node, order) -> nodes.set(node, json(order)));
        ObjectNode queues = json.putObject("drainedQueues");
        orders.drainedQueues().forEach((queue, order) -> queues.set(queue, json(order)));
        ObjectNode sizes = json.putObject("fixedSizes");
        orders.sizes()
                .forEach((job, fixed) -> sizes.set(
                        job.toString(),
                        json(fixed.order())
                                .put("workers", fixed.size().workers())
                                .put("parameterServers", fixed.size().parameterServers())));
        return json;
    }

    private ObjectNode json(Order order) {
        return mapper.createObjectNode().put(BY, order.user()).put(SINCE, order.sinceMillis());
    }

    private static OperatorOrders.InForce orders(JsonNode json) {
        if (json.path("version").asInt() != VERSION) {
            throw new IllegalArgumentException("it has no \"version\": " + VERSION);
        }
        return new OperatorOrders.InForce(
                json.has("pause") ? Optional.of(order(json.path("pause"))) : Optional.empty(),
                byName(json.path("drainedNodes"), name -> name, OrdersFile::order),
                byName(json.path("drainedQueues"), name -> name, OrdersFile::order),
                byName(json.path("fixedSizes"), ApplicationId::fromString, OrdersFile::size));
    }

    private static <K, V> SortedMap<K, V> byName(JsonNode json, Function<String, K> key, Function<JsonNode, V> value) {
        SortedMap<K, V> map = new TreeMap<>();
        json.fields().forEachRemaining(field -> map.put(key.apply(field.getKey()), value.apply(field.getValue())));
        return map;
    }

    private static Order order(JsonNode json) {
        if (!json.path(BY).isTextual() || !json.path(SINCE).isIntegralNumber()) {
            throw new IllegalArgumentException("an order lacks \"" + BY + "\" or \"" + SINCE + "\"");
        }
        return new Order(json.path(BY).asText(), json.path(SINCE).asLong());
    }

    private static SizeOrder size(JsonNode json) {
        if (!json.path("workers").isInt() || !json.path("parameterServers").isInt()) {
            throw new IllegalArgumentException("a fixed size lacks \"workers\" or \"parameterServers\"");
        }
        return new SizeOrder(
                new Allocation(
                        json.path("parameterServers").asInt(),
                        json.path("workers").asInt()),
                order(json));
    }
}
