package io.optimus.dataplane;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * The same exchange by bare sockets: a worker sends each server its part of the gradient and then reads the same number of bytes
 * from each. Buffers are direct, sockets block, and nobody looks at the bytes.
 */
public final class BareExchange {
    private BareExchange() {}

    /** Takes {@code server BYTES}, or {@code worker BYTES PORT ...}. A server prints its port. */
    public static void main(String[] arguments) throws IOException {
        int bytes = Integer.parseInt(arguments[1]);
        if (arguments[0].equals("server")) {
            serve(bytes);
        } else {
            List<Integer> ports = new ArrayList<>();
            for (int i = 2; i < arguments.length; i++) {
                ports.add(Integer.parseInt(arguments[i]));
            }
            work(bytes, ports);
        }
    }

    private static void serve(int bytes) throws IOException {
        try (ServerSocketChannel listening = ServerSocketChannel.open()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            System.out.println("port " + listening.socket().getLocalPort());
            while (true) {
                SocketChannel channel = listening.accept();
                new Thread(() -> answer(channel, ByteBuffer.allocateDirect(bytes)), "answer").start();
            }
        }
    }

    private static void answer(SocketChannel channel, ByteBuffer buffer) {
        try (channel) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            while (true) {
                read(channel, buffer);
                write(channel, buffer);
            }
        } catch (IOException e) {
            // The worker has ended.
        }
    }

    private static void work(int bytes, List<Integer> ports) throws IOException {
        List<SocketChannel> channels = new ArrayList<>();
        for (int port : ports) {
            SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channels.add(channel);
        }
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
        while (true) {
            ExchangeTimes.tell();
            for (SocketChannel channel : channels) {
                write(channel, buffer);
            }
            for (SocketChannel channel : channels) {
                read(channel, buffer);
            }
        }
    }

    private static void write(SocketChannel channel, ByteBuffer buffer) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    private static void read(SocketChannel channel, ByteBuffer buffer) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new EOFException("The other end closed the connection");
            }
        }
    }
}
