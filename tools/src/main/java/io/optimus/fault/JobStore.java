package io.optimus.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The file system of the jobs' directories, a mount of its own.
 *
 * @param folder where it is mounted
 */
record JobStore(Path folder) {
    /** Left free, so that a store that is full can at least be listed. */
    private static final int BLOCK = 1 << 20;

    /** Nothing can be written for that many seconds: the file system is full. */
    void fill(int seconds) throws IOException, InterruptedException {
        Path filling = folder.resolve("fault-test-filling");
        byte[] block = new byte[BLOCK];
        try (var out = Files.newOutputStream(filling)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            TimeUnit.SECONDS.sleep(seconds);
        } finally {
            Files.deleteIfExists(filling);
        }
    }

    /**
     * No file can be made, changed or deleted for that many seconds. A read-only mount covers the store; files that are open
     * already do not prevent it, and can still be written.
     */
    void makeReadOnly(int seconds) throws IOException, InterruptedException {
        // A mount reaches the networks' processes with the flags that it has when it is made.
        Path readOnly = Files.createDirectories(folder.resolveSibling("read-only-store"));
        SystemCommand.run("mount", "--bind", folder.toString(), readOnly.toString());
        try {
            // A shared mount would be covered together with the store.
            SystemCommand.run("mount", "--make-private", readOnly.toString());
            SystemCommand.run("mount", "-o", "remount,bind,ro", readOnly.toString());
            SystemCommand.run("mount", "--bind", readOnly.toString(), folder.toString());
        } finally {
            SystemCommand.run("umount", "-l", readOnly.toString());
        }
        try {
            TimeUnit.SECONDS.sleep(seconds);
        } finally {
            SystemCommand.run("umount", "-l", folder.toString());
        }
    }
}
