package io.optimus.hadooptests;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/** The published jar of the ResourceManager's tests. */
final class TestJar {
    private static final String CLASS = ".class";
    private static final String SCHEDULERS = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.";
    /** Schedulers that are no subclasses of CapacityScheduler. */
    private static final List<String> OTHER_SCHEDULERS = List.of(SCHEDULERS + "fair.", SCHEDULERS + "fifo.");

    private static final byte[] INTERNAL_NAME =
            SchedulerReplacement.CAPACITY_SCHEDULER.replace('.', '/').getBytes(StandardCharsets.UTF_8);
    private static final byte[] NAME = SchedulerReplacement.CAPACITY_SCHEDULER.getBytes(StandardCharsets.UTF_8);

    /** Content by path in the jar. */
    private final Map<String, byte[]> files;

    private TestJar(Map<String, byte[]> files) {
        this.files = files;
    }

    static TestJar read(Path jar) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (JarFile open = new JarFile(jar.toFile())) {
            for (JarEntry entry : (Iterable<JarEntry>) open.stream()::iterator) {
                if (!entry.isDirectory()) {
                    files.put(entry.getName(), open.getInputStream(entry).readAllBytes());
                }
            }
        }
        return new TestJar(files);
    }

    /** Writes all files, the classes with the scheduler of the side. */
    void unpack(Path folder, Side side) throws IOException {
        SchedulerReplacement replacement = new SchedulerReplacement(side.schedulerClass());
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            boolean isClass = file.getKey().endsWith(CLASS);
            Files.write(path, isClass ? replacement.apply(file.getValue()) : file.getValue());
        }
    }

    /** Full names of all test classes, sorted. */
    List<String> testClasses() {
        return files.entrySet().stream()
                .filter(file -> isTest(file.getKey()) && !isAbstract(file.getValue()))
                .map(Map.Entry::getKey)
                .map(path -> path.substring(0, path.length() - CLASS.length()).replace('/', '.'))
                .toList();
    }

    /** The tests of schedulers that name CapacityScheduler, themselves or in a nested class or superclass. */
    List<String> schedulerTests() {
        return testClasses().stream()
                .filter(name -> name.startsWith(SCHEDULERS))
                .filter(name -> OTHER_SCHEDULERS.stream().noneMatch(name::startsWith))
                .filter(this::namesCapacityScheduler)
                .toList();
    }

    private boolean namesCapacityScheduler(String className) {
        String path = className.replace('.', '/');
        byte[] own = files.get(path + CLASS);
        return own != null
                && (files.entrySet().stream()
                                .filter(file -> file.getKey().startsWith(path + "$"))
                                .anyMatch(file -> hasName(file.getValue()))
                        || hasName(own)
                        || namesCapacityScheduler(new ClassReader(own).getSuperName()));
    }

    /** Whether the name is a whole constant: CapacitySchedulerConfiguration does not count. */
    private static boolean hasName(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        for (int item = 1; item < reader.getItemCount(); item++) {
            int content = reader.getItem(item);
            if (content > 0 && (isText(classFile, content, INTERNAL_NAME) || isText(classFile, content, NAME))) {
                return true;
            }
        }
        return false;
    }

    /** An item of text is its tag, two bytes of length, and the text; {@code content} comes after the tag. */
    private static boolean isText(byte[] classFile, int content, byte[] text) {
        final int tagOfText = 1;
        int start = content + Short.BYTES;
        int length = ((classFile[content] & 0xff) << Byte.SIZE) | (classFile[content + 1] & 0xff);
        return classFile[content - 1] == tagOfText
                && length == text.length
                && Arrays.equals(classFile, start, start + length, text, 0, length);
    }

    private static boolean isTest(String path) {
        return path.substring(path.lastIndexOf('/') + 1).startsWith("Test")
                && path.endsWith(CLASS)
                && !path.contains("$");
    }

    private static boolean isAbstract(byte[] classFile) {
        return (new ClassReader(classFile).getAccess() & Opcodes.ACC_ABSTRACT) != 0;
    }
}
