package dev.sro.agent.slice;

import dev.sro.agent.file.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A disk on which others may go on before and after each call. */
record TurnDisk(Disk disk, Turns turns) implements Disk {
    private interface Call {
        void make() throws IOException;
    }

    private void call(String what, Path file, Call call) throws IOException {
        turns.point(what + " " + file.getFileName());
        try {
            call.make();
        } catch (IOException e) {
            turns.point(what + " " + file.getFileName() + ", failed");
            throw e;
        }
        turns.point(what + " " + file.getFileName() + ", done");
    }

    @Override
    public Optional<byte[]> read(Path file) throws IOException {
        turns.point("read " + file.getFileName());
        return disk.read(file);
    }

    @Override
    public void write(Path file, byte[] bytes) throws IOException {
        call("write", file, () -> disk.write(file, bytes));
    }

    @Override
    public void sync(Path file) throws IOException {
        call("sync", file, () -> disk.sync(file));
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        call("rename to", to, () -> disk.rename(from, to));
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        call("sync of names in", directory, () -> disk.syncDirectory(directory));
    }

    @Override
    public void delete(Path file) throws IOException {
        call("delete", file, () -> disk.delete(file));
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        turns.point("list " + directory.getFileName());
        return disk.list(directory);
    }
}
