package io.optimus.am.engine.program;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.optimus.am.engine.program.ProgramMessage.FromProgram;
import io.optimus.am.engine.program.ProgramMessage.ToProgram;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * The worker's end of the connection to an owner's program. One thread receives, any thread sends.
 *
 * <p>It uses the channel itself, because the streams of a channel share a lock in Java 17: a waiting reader would block
 * every writer.
 */
final class ProgramConnection implements Closeable {
    /** A description of 100 000 blocks is about 10 MB. */
    private static final int LONGEST_LINE = 16 << 20;

    /** How much of a refused line its error quotes. */
    private static final int QUOTED = 200;

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .addModule(new Jdk8Module())
            .build();

    private final SocketChannel channel;
    private final ByteBuffer received = ByteBuffer.allocate(1 << 16).flip();

    ProgramConnection(SocketChannel channel) {
        this.channel = channel;
    }

    /** Thrown if a line is not a message of the protocol. */
    static final class MalformedException extends IOException {
        private static final long serialVersionUID = 1;

        MalformedException(String problem) {
            super(problem);
        }
    }

    /**
     * Returns the next message.
     *
     * @throws MalformedException if the next line is none
     * @throws IOException when the connection has ended
     */
    FromProgram receive() throws IOException {
        byte[] line = line();
        try {
            return MAPPER.readValue(line, FromProgram.class);
        } catch (JsonProcessingException e) {
            String text = new String(line, StandardCharsets.UTF_8);
            String quoted = text.length() <= QUOTED ? text : text.substring(0, QUOTED) + "…";
            throw new MalformedException("The program sent '" + quoted + "', which is not a message of a program: "
                    + field(e) + e.getOriginalMessage()
                    + ". Use the package optimus_yarn of this cluster's optimus-am.jar, and let nothing else write to"
                    + " its socket");
        }
    }

    private static String field(JsonProcessingException e) {
        return e instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()
                ? "field " + mapping.getPath().get(mapping.getPath().size() - 1).getFieldName() + ": "
                : "";
    }

    private byte[] line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            while (received.hasRemaining()) {
                byte next = received.get();
                if (next == '\n') {
                    return line.toByteArray();
                }
                line.write(next);
            }
            if (line.size() > LONGEST_LINE) {
                throw new MalformedException(
                        "The program sent a line of more than " + LONGEST_LINE + " bytes, which is not a message of a"
                                + " program. Let nothing but the package optimus_yarn write to its socket");
            }
            received.clear();
            int count = channel.read(received);
            received.flip();
            if (count < 0) {
                throw new EOFException("The program has closed its connection");
            }
        }
    }

    /** Sends. Nothing is thrown if the program is gone, since {@link #receive} fails then. */
    synchronized void send(ToProgram message) {
        try {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            line.writeBytes(MAPPER.writerFor(ToProgram.class).writeValueAsBytes(message));
            line.write('\n');
            ByteBuffer out = ByteBuffer.wrap(line.toByteArray());
            while (out.hasRemaining()) {
                channel.write(out);
            }
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Cannot write " + message, e);
        } catch (IOException e) {
            close();
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing is lost with it: every message is written when it is sent.
        }
    }
}
