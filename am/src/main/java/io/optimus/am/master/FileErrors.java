package io.optimus.am.master;

import io.optimus.am.checkpoint.CheckpointStore.Input;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSError;

/**
 * Turns the surprises of Hadoop's file systems into an {@link IOException}, after which the job tries again.
 *
 * <ul>
 *   <li>The local file system throws an {@link FSError} when a disk is full or broken. An error would end the thread.
 *   <li>HDFS throws the exception of a failed write again when the file is closed. A try statement with resources would add
 *       that exception to itself as suppressed, and Java throws an {@link IllegalArgumentException} then.
 * </ul>
 */
final class FileErrors {
    private FileErrors() {}

    /** Something that uses files. */
    @FunctionalInterface
    interface Use {
        void run() throws IOException;
    }

    /** Runs {@code use}. */
    static void asExceptions(Use use) throws IOException {
        try {
            use.run();
        } catch (FSError e) {
            throw exception(e);
        }
    }

    /** Returns a stream to the same file. */
    static OutputStream asExceptions(OutputStream file) {
        return new FilterOutputStream(file) {
            private boolean isClosed;

            @Override
            public void write(int one) throws IOException {
                asExceptions(() -> out.write(one));
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                asExceptions(() -> out.write(bytes, offset, length));
            }

            @Override
            public void flush() throws IOException {
                asExceptions(out::flush);
            }

            @Override
            public void close() throws IOException {
                if (isClosed) {
                    return;
                }
                isClosed = true;
                try {
                    asExceptions(out::close);
                } catch (IOException e) {
                    throw new IOException(e.getMessage(), e);
                }
            }
        };
    }

    /** Returns the same file, which has {@code length} bytes. */
    static Input asExceptions(FSDataInputStream file, long length) {
        InputStream in = asExceptions((InputStream) file);
        return new Input() {
            @Override
            public long length() {
                return length;
            }

            @Override
            public void seek(long position) throws IOException {
                asExceptions(() -> file.seek(position));
            }

            @Override
            public int read(byte[] bytes, int from, int count) throws IOException {
                return in.read(bytes, from, count);
            }

            @Override
            public void close() throws IOException {
                in.close();
            }
        };
    }

    /** Returns a stream of the same file. */
    static InputStream asExceptions(InputStream file) {
        return new FilterInputStream(file) {
            @Override
            public int read() throws IOException {
                try {
                    return in.read();
                } catch (FSError e) {
                    throw exception(e);
                }
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                try {
                    return in.read(bytes, offset, length);
                } catch (FSError e) {
                    throw exception(e);
                }
            }
        };
    }

    private static IOException exception(FSError error) {
        return error.getCause() instanceof IOException cause ? cause : new IOException(error);
    }
}
