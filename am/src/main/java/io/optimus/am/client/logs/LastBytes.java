package io.optimus.am.client.logs;

/** The end of a file. */
final class LastBytes {
    private final long fileBytes;
    private final byte[] content;

    LastBytes(long fileBytes, byte[] content) {
        this.fileBytes = fileBytes;
        this.content = content.clone();
    }

    /** Length of the whole file when it was read. */
    long fileBytes() {
        return fileBytes;
    }

    /** Its last bytes, as many as were asked for and are there. */
    byte[] content() {
        return content.clone();
    }
}
