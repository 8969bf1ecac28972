package dev.sro.testkit.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** Joins what connects to a socket of the file system with an address of this machine. Thread-safe. */
final class SocketJoint implements AutoCloseable {
    private final ServerSocketChannel server;
    private final Path path;

    private SocketJoint(ServerSocketChannel server, Path path) {
        this.server = server;
        this.path = path;
    }

    /** Listens until it is closed. */
    static SocketJoint start(Path path, InetSocketAddress to) {
        try {
            ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(path));
            SocketJoint joint = new SocketJoint(server, path);
            daemon("socket-joint", () -> joint.accept(to));
            return joint;
        } catch (IOException e) {
            throw new UncheckedIOException("no socket " + path, e);
        }
    }

    private void accept(SocketAddress to) {
        while (server.isOpen()) {
            try {
                SocketChannel caller = server.accept();
                daemon("socket-joint-connection", () -> {
                    try (caller;
                            SocketChannel callee = SocketChannel.open(to)) {
                        join(caller, callee);
                    } catch (IOException gone) {
                        // One of the two: the other one sees its end.
                    }
                });
            } catch (IOException closed) {
                return;
            }
        }
    }

    /** Carries what each says to the other, until the second one has said all. */
    static void join(SocketChannel caller, SocketChannel callee) {
        // Who has asked all may still be owed the answer.
        daemon("socket-joint-questions", () -> copy(caller, callee));
        copy(callee, caller);
    }

    private static void copy(SocketChannel from, SocketChannel to) {
        ByteBuffer buffer = ByteBuffer.allocate(65_536);
        try {
            while (from.read(buffer.clear()) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    to.write(buffer);
                }
            }
            to.shutdownOutput();
        } catch (IOException gone) {
            try {
                to.close();
            } catch (IOException closed) {
                // It is.
            }
        }
    }

    static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            server.close();
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
