package io.optimus.yarn.page;

import java.io.IOException;
import java.io.PrintWriter;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

/**
 * A response that adds links to a page of YARN while the page is written. It holds nothing back, so that long pages go out as they
 * come. It leaves alone what is not HTML, what is written as bytes, such as a compressed answer, and what has a length already.
 */
final class LinkedResponse extends HttpServletResponseWrapper {
    private static final String LENGTH = "Content-Length";

    private final String links;
    private boolean fixedLength;
    private @Nullable InsertingWriter inserting;
    private @Nullable PrintWriter writer;

    LinkedResponse(HttpServletResponse response, String links) {
        super(response);
        this.links = links;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        PrintWriter known = writer;
        if (known == null) {
            PrintWriter original = super.getWriter();
            String type = getContentType();
            boolean page = type != null && type.startsWith("text/html") && !fixedLength;
            if (page) {
                inserting = new InsertingWriter(original, InsertingWriter.NAVIGATION, links);
            }
            known = inserting == null ? original : new PrintWriter(inserting);
            writer = known;
        }
        return known;
    }

    @Override
    public void reset() {
        super.reset();
        restart();
    }

    @Override
    public void resetBuffer() {
        super.resetBuffer();
        restart();
    }

    /** What was written is thrown away, and an error page may follow. */
    private void restart() {
        if (inserting != null) {
            inserting.restart();
        }
    }

    @Override
    public void setContentLength(int length) {
        fixedLength = true;
        super.setContentLength(length);
    }

    @Override
    public void setContentLengthLong(long length) {
        fixedLength = true;
        super.setContentLengthLong(length);
    }

    @Override
    public void setHeader(String name, String value) {
        fixedLength |= name.equalsIgnoreCase(LENGTH);
        super.setHeader(name, value);
    }

    @Override
    public void addHeader(String name, String value) {
        fixedLength |= name.equalsIgnoreCase(LENGTH);
        super.addHeader(name, value);
    }

    @Override
    public void setIntHeader(String name, int value) {
        fixedLength |= name.equalsIgnoreCase(LENGTH);
        super.setIntHeader(name, value);
    }

    @Override
    public void addIntHeader(String name, int value) {
        fixedLength |= name.equalsIgnoreCase(LENGTH);
        super.addIntHeader(name, value);
    }
}
