package io.optimus.am.yaml;

import io.optimus.am.yaml.YamlValue.Scalar;
import io.optimus.am.yaml.YamlValue.Section;
import io.optimus.am.yaml.YamlValue.Sequence;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.reader.ReaderException;

/** Reads YAML into {@link YamlValue}s; text that is not YAML and keys that appear twice become problems. */
public final class YamlText {
    private final String source;
    private final boolean option;
    private final List<FileProblem> problems;
    private final Set<Node> open = Collections.newSetFromMap(new IdentityHashMap<>());

    /** YAML text of nested maps, lists and plain values. */
    public static String print(Map<String, Object> values) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        return new Yaml(options).dump(copy(values));
    }

    /** Copies lists and maps, because YAML names one that occurs twice, such as the empty list, and then refers to it. */
    private static Object copy(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> copy = new LinkedHashMap<>();
            map.forEach((key, each) -> copy.put(key, copy(each)));
            return copy;
        }
        if (value instanceof List<?> list) {
            List<Object> copy = new ArrayList<>();
            list.forEach(each -> copy.add(copy(each)));
            return copy;
        }
        return value;
    }

    private YamlText(String source, boolean option, List<FileProblem> problems) {
        this.source = source;
        this.option = option;
        this.problems = problems;
    }

    /** The value that a whole file holds; empty if the file is empty or not YAML. */
    public static Optional<YamlValue> ofFile(String source, String text, List<FileProblem> problems) {
        return new YamlText(source, false, problems).read(text);
    }

    /** The value that {@code option} gives as {@code text}; empty if the text is not YAML. */
    static Optional<YamlValue> ofOption(String option, String text, List<FileProblem> problems) {
        if (text.isBlank()) {
            return Optional.of(new Scalar(SourcePosition.option(option), "", true));
        }
        return new YamlText(option, true, problems).read(text);
    }

    private Optional<YamlValue> read(String text) {
        try {
            Node root = new Yaml().compose(new StringReader(text));
            if (root == null) {
                add(at(1, 1), "The file is empty: it needs at least name, model and dataset");
                return Optional.empty();
            }
            return Optional.of(value(root, at(root.getStartMark()), ""));
        } catch (MarkedYAMLException wrong) {
            Mark mark = wrong.getProblemMark() == null ? wrong.getContextMark() : wrong.getProblemMark();
            String context = wrong.getContext() == null ? "" : wrong.getContext() + begun(wrong, mark) + ", ";
            add(
                    mark == null ? at(1, 1) : at(mark),
                    "This is not YAML: " + context + wrong.getProblem()
                            + "; look at indents, quotes and brackets here and just before");
        } catch (ReaderException wrong) {
            add(
                    position(text, wrong.getPosition()),
                    "YAML does not allow this character (code " + String.format("0x%X", wrong.getCodePoint())
                            + "): remove it, and save the file as UTF-8");
        } catch (YAMLException wrong) {
            add(at(1, 1), "This is not YAML: " + wrong.getMessage());
        }
        return Optional.empty();
    }

    /** Says where the error began, if on another line: YAML notices an open quote only at the end of the file. */
    private static String begun(MarkedYAMLException wrong, @Nullable Mark noticed) {
        Mark begin = wrong.getContextMark();
        return begin == null || noticed == null || begin.getLine() == noticed.getLine()
                ? ""
                : " that begins at " + (begin.getLine() + 1) + ":" + (begin.getColumn() + 1);
    }

    private YamlValue value(Node node, SourcePosition position, String path) {
        if (!open.add(node)) {
            problems.add(new FileProblem(
                    position, path, "This alias stands for a section that contains it: write the values out"));
            return new Scalar(position, "", true);
        }
        YamlValue value =
                switch (node.getNodeId()) {
                    case mapping -> section((MappingNode) node, position, path);
                    case sequence -> sequence((SequenceNode) node, position, path);
                    case scalar, anchor -> scalar((ScalarNode) node, position);
                };
        open.remove(node);
        return value;
    }

    private static Scalar scalar(ScalarNode node, SourcePosition position) {
        return new Scalar(position, node.getValue(), node.getTag().equals(Tag.NULL));
    }

    private Sequence sequence(SequenceNode node, SourcePosition position, String path) {
        List<YamlValue> values = new ArrayList<>();
        for (Node item : node.getValue()) {
            values.add(value(item, at(item.getStartMark()), path + "[" + values.size() + "]"));
        }
        return new Sequence(position, values);
    }

    private Section section(MappingNode node, SourcePosition position, String path) {
        Map<String, YamlValue> values = new LinkedHashMap<>();
        for (NodeTuple entry : node.getValue()) {
            SourcePosition at = at(entry.getKeyNode().getStartMark());
            if (!(entry.getKeyNode() instanceof ScalarNode key)) {
                problems.add(new FileProblem(at, path, "A key is one word, not a list or a section"));
                continue;
            }
            String name = key.getValue();
            String full = path.isEmpty() ? name : path + "." + name;
            YamlValue earlier = values.get(name);
            if (earlier == null) {
                values.put(name, value(entry.getValueNode(), at, full));
            } else {
                problems.add(new FileProblem(
                        at, full, "This key appears twice, first at " + earlier.position() + ": keep one"));
            }
        }
        return new Section(position, values);
    }

    private SourcePosition at(Mark mark) {
        return at(mark.getLine() + 1, mark.getColumn() + 1);
    }

    private SourcePosition at(int line, int column) {
        return option ? SourcePosition.option(source) : new SourcePosition(source, line, column);
    }

    private SourcePosition position(String text, int characters) {
        String before = text.substring(0, Math.min(characters, text.length()));
        int lines = (int) before.chars().filter(character -> character == '\n').count();
        return at(lines + 1, before.length() - before.lastIndexOf('\n'));
    }

    private void add(SourcePosition position, String sentence) {
        problems.add(new FileProblem(position, "", sentence));
    }
}
