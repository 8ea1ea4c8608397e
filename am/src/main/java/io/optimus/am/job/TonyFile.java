package io.optimus.am.job;

import io.optimus.am.yaml.FileProblem;
import io.optimus.am.yaml.SourcePosition;
import io.optimus.am.yaml.YamlValue;
import io.optimus.am.yaml.YamlValue.Scalar;
import io.optimus.am.yaml.YamlValue.Section;
import io.optimus.am.yaml.YamlValue.Sequence;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads a {@code tony.xml} of LinkedIn's TonY as a job file with {@code framework: command}. {@code docs/job-file.md} says
 * which of its keys map to which of ours.
 *
 * <p>Example: {@code tony.worker.instances} 4 and {@code tony.worker.memory} 4g become {@code roles: {worker: {min: 4, memoryMb:
 * 4096}}}.
 */
final class TonyFile {
    private static final String PREFIX = "tony.";
    private static final Set<String> FRAMEWORKS = Set.of("tensorflow", "pytorch", "mxnet", "standalone");
    /** TonY starts that many workers, and that many parameter servers, if its file does not say. */
    private static final String DEFAULT_INSTANCES = "1";

    private static final String DEFAULT_MEMORY = "2g";
    private static final int MB_PER_GB = 1024;

    private final String source;
    private final List<FileProblem> problems;
    private final Map<String, Scalar> properties = new LinkedHashMap<>();
    private final Set<String> used = new HashSet<>();
    private final Map<String, Object> job = new LinkedHashMap<>();

    private TonyFile(String source, List<FileProblem> problems) {
        this.source = source;
        this.problems = problems;
    }

    /**
     * The file as a job file; empty if it is no XML.
     *
     * @param remarks get the keys that have no counterpart and are ignored
     */
    static Optional<Section> read(String source, String text, List<FileProblem> problems, List<String> remarks) {
        TonyFile file = new TonyFile(source, problems);
        if (!file.parse(text)) {
            return Optional.empty();
        }
        file.convert();
        List<String> ignored = file.properties.keySet().stream()
                .filter(key -> !file.used.contains(key))
                .toList();
        if (!ignored.isEmpty()) {
            remarks.add(
                    "these keys of " + source + " have no counterpart and are ignored: " + String.join(", ", ignored));
        }
        return Optional.of(file.section(file.job, file.top()));
    }

    private SourcePosition top() {
        return new SourcePosition(source, 1, 1);
    }

    private boolean parse(String text) {
        XMLInputFactory factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        try {
            XMLStreamReader xml = factory.createXMLStreamReader(new StringReader(text));
            String name = "";
            while (xml.hasNext()) {
                if (xml.next() == XMLStreamConstants.START_ELEMENT) {
                    if (xml.getLocalName().equals("name")) {
                        name = xml.getElementText().strip();
                    } else if (xml.getLocalName().equals("value")) {
                        SourcePosition position =
                                new SourcePosition(source, xml.getLocation().getLineNumber(), 1);
                        properties.put(
                                name, new Scalar(position, xml.getElementText().strip(), false));
                    }
                }
            }
            return true;
        } catch (XMLStreamException wrong) {
            SourcePosition position = wrong.getLocation() == null
                    ? top()
                    : new SourcePosition(source, wrong.getLocation().getLineNumber(), 1);
            problems.add(new FileProblem(
                    position, "", "This is no XML file of properties, as TonY has: " + wrong.getMessage()));
            return false;
        }
    }

    private void convert() {
        put("framework", new Scalar(top(), "command", false));
        put("name", property("tony.application.name").orElse(new Scalar(top(), "tony", false)));
        property("tony.application.queue").ifPresent(queue -> put("queue", queue));
        property("tony.yarn.queue").ifPresent(queue -> put("queue", queue));
        convertFramework();
        convertWorkers();
        convertServers();
        refuseOtherRoles();
        convertFiles();
        convertEnvironment();
        convertMaster();
        boolean docker = flag("tony.docker.enabled");
        property("tony.docker.containers.image").filter(image -> docker).ifPresent(image -> put("docker.image", image));
        if (flag("tony.application.enable-preprocess")) {
            refuse(
                    "tony.application.enable-preprocess",
                    "there is no preparing step: run it before, or in the command");
        }
        for (String key : List.copyOf(properties.keySet())) {
            if (key.endsWith(".node-label")
                    && property(key).filter(label -> !label.text().isEmpty()).isPresent()) {
                refuse(key, "node labels are not supported: submit to a queue whose nodes have the label");
            }
        }
    }

    private void convertFramework() {
        property("tony.application.framework")
                .filter(name -> !FRAMEWORKS.contains(name.text().toLowerCase(Locale.ROOT)))
                .ifPresent(name -> refuse(
                        "tony.application.framework",
                        name.text()
                                + " needs a driver of TonY's: start the program by torchrun or mpirun in the worker's"
                                + " command and say standalone, or use 'framework: python' of Optimus"));
    }

    private void convertWorkers() {
        int chiefs = count("tony.chief.instances", "0");
        int workers = count("tony.worker.instances", DEFAULT_INSTANCES);
        String role = workers == 0 && chiefs > 0 ? "chief" : "worker";
        putRole("roles.worker", role, chiefs + workers);
        if (chiefs == 0) {
            return;
        }
        put("roles.worker.chief", new Scalar(position("tony.chief.instances"), "true", false));
        if (chiefs > 1) {
            refuse("tony.chief.instances", "a job has one chief at most");
        }
        for (String key : List.of("memory", "vcores", "gpus", "command")) {
            Optional<Scalar> ofChief = property("tony.chief." + key);
            Optional<Scalar> ofWorker = property("tony." + role + "." + key);
            if (ofChief.isPresent() && !ofChief.map(Scalar::text).equals(ofWorker.map(Scalar::text))) {
                refuse(
                        "tony.chief." + key,
                        "the chief is the first worker here, so it must be equal to tony.worker." + key + ", which is "
                                + ofWorker.map(Scalar::text).orElse("not given"));
            }
        }
    }

    private void convertServers() {
        int servers = count("tony.server.instances", "0");
        int ps = count("tony.ps.instances", servers > 0 ? "0" : DEFAULT_INSTANCES);
        if (servers > 0 && ps > 0) {
            refuse("tony.server.instances", "both ps and server are parameter servers here: set one of them to 0");
        }
        String role = servers > 0 ? "server" : "ps";
        if (servers + ps > 0) {
            putRole("roles.ps", role, servers + ps);
        } else {
            List.of("memory", "vcores", "gpus", "command").forEach(key -> property("tony.ps." + key));
        }
    }

    private void putRole(String section, String role, int instances) {
        String prefix = PREFIX + role + ".";
        put(section + ".min", new Scalar(position(prefix + "instances"), String.valueOf(instances), false));
        Scalar memory = property(prefix + "memory").orElse(new Scalar(top(), DEFAULT_MEMORY, false));
        put(section + ".memoryMb", megabytes(prefix + "memory", memory));
        property(prefix + "vcores").ifPresent(vcores -> put(section + ".vcores", vcores));
        property(prefix + "gpus").ifPresent(gpus -> put(section + ".gpus", gpus));
        Optional<Scalar> ofAll = property("tony.containers.command");
        property(prefix + "command").or(() -> ofAll).ifPresent(command -> put(section + ".command", command));
    }

    /** Roles such as evaluator, tensorboard or ps-lite's scheduler, which the scheduler of the cluster does not know. */
    private void refuseOtherRoles() {
        Set<String> known = Set.of("worker", "ps", "server", "chief");
        for (String key : List.copyOf(properties.keySet())) {
            String[] words = key.split("\\.", -1);
            if (words.length == 3 && words[2].equals("instances") && !known.contains(words[1]) && count(key, "0") > 0) {
                refuse(
                        key,
                        "there is no role " + words[1]
                                + " here, only worker, chief, ps and server: set it to 0, and start"
                                + " its program in the background of the first worker's command or as a job of its own");
            }
        }
    }

    private void convertFiles() {
        List<YamlValue> files = new ArrayList<>();
        List<YamlValue> archives = new ArrayList<>();
        for (String key : List.of(
                "tony.containers.resources",
                "tony.worker.resources",
                "tony.chief.resources",
                "tony.ps.resources",
                "tony.server.resources")) {
            property(key).ifPresent(list -> {
                for (String item : list.text().split("\\s*,\\s*", -1)) {
                    boolean archive = item.endsWith("#archive");
                    String path = archive ? item.substring(0, item.length() - "#archive".length()) : item;
                    Scalar file = new Scalar(list.position(), path.replace("::", "#"), false);
                    if (!path.isEmpty()) {
                        (archive ? archives : files).add(file);
                    }
                }
            });
        }
        if (!files.isEmpty()) {
            put("files", new Sequence(files.get(0).position(), files));
        }
        if (!archives.isEmpty()) {
            put("archives", new Sequence(archives.get(0).position(), archives));
        }
    }

    private void convertEnvironment() {
        for (String key : List.of("tony.containers.envs", "tony.execution.envs")) {
            property(key).ifPresent(list -> {
                for (String pair : list.text().split("\\s*,\\s*", -1)) {
                    int equals = pair.indexOf('=');
                    if (equals > 0) {
                        Scalar value = new Scalar(list.position(), pair.substring(equals + 1), false);
                        put("environment." + pair.substring(0, equals), value);
                    } else if (!pair.isEmpty()) {
                        refuse(key, "'" + pair + "' is no NAME=VALUE");
                    }
                }
            });
        }
    }

    private void convertMaster() {
        property("tony.am.memory")
                .ifPresent(memory -> put("applicationMaster.memoryMb", megabytes("tony.am.memory", memory)));
        property("tony.am.vcores").ifPresent(vcores -> put("applicationMaster.vcores", vcores));
        if (properties.containsKey("tony.am.retry-count")) {
            int attempts = count("tony.am.retry-count", "0") + 1;
            put(
                    "applicationMaster.maxAttempts",
                    new Scalar(position("tony.am.retry-count"), String.valueOf(attempts), false));
        }
    }

    private Optional<Scalar> property(String key) {
        used.add(key);
        return Optional.ofNullable(properties.get(key));
    }

    private boolean flag(String key) {
        return property(key)
                .filter(value -> value.text().equalsIgnoreCase("true"))
                .isPresent();
    }

    private int count(String key, String byDefault) {
        String text = property(key).map(Scalar::text).orElse(byDefault);
        if (text.matches("[0-9]{1,6}")) {
            return Integer.parseInt(text);
        }
        refuse(key, "'" + text + "' is no whole number of 0 or more");
        return 0;
    }

    /** TonY's sizes are like 4g, 2048m or 2048. */
    private Scalar megabytes(String key, Scalar size) {
        String text = size.text().toLowerCase(Locale.ROOT);
        boolean gigabytes = text.endsWith("g");
        String number = gigabytes || text.endsWith("m") ? text.substring(0, text.length() - 1) : text;
        if (!number.matches("[0-9]{1,8}")) {
            refuse(key, "'" + size.text() + "' is no size such as 4g or 2048m");
            return new Scalar(size.position(), String.valueOf(MB_PER_GB), false);
        }
        long megabytes = Long.parseLong(number) * (gigabytes ? MB_PER_GB : 1);
        return new Scalar(size.position(), String.valueOf(megabytes), false);
    }

    private SourcePosition position(String key) {
        Scalar value = properties.get(key);
        return value == null ? top() : value.position();
    }

    private void refuse(String key, String sentence) {
        problems.add(new FileProblem(position(key), key, sentence));
    }

    @SuppressWarnings("unchecked") // every value on the way to a key is a map that this method put there
    private void put(String path, YamlValue value) {
        Map<String, Object> section = job;
        String[] names = path.split("\\.", -1);
        for (int i = 0; i < names.length - 1; i++) {
            section = (Map<String, Object>)
                    section.computeIfAbsent(names[i], absent -> new LinkedHashMap<String, Object>());
        }
        section.put(names[names.length - 1], value);
    }

    private Section section(Map<?, ?> values, SourcePosition position) {
        Map<String, YamlValue> section = new LinkedHashMap<>();
        values.forEach((name, value) -> section.put(
                (String) name, value instanceof Map<?, ?> inner ? section(inner, position) : (YamlValue) value));
        return new Section(position, section);
    }
}
