package dev.sro.runtime.dev;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Says when files have changed. A file that is being written is waited for: what is told was the same at two looks. Confined to one
 * thread.
 */
final class FileWatch {

    private final Supplier<List<Path>> files;
    private SortedMap<String, String> told;
    private SortedMap<String, String> seen;

    /**
     * @param files that are looked at; asked each time
     */
    FileWatch(Supplier<List<Path>> files) {
        this.files = files;
        this.told = stamps();
        this.seen = told;
    }

    /** Whether something is otherwise than when this last said so. Files that are all gone say nothing: somebody builds. */
    boolean changed() {
        SortedMap<String, String> now = stamps();
        boolean atRest = now.equals(seen);
        seen = now;
        if (!atRest || now.isEmpty() || now.equals(told)) {
            return false;
        }
        told = now;
        return true;
    }

    private SortedMap<String, String> stamps() {
        SortedMap<String, String> stamps = new TreeMap<>();
        for (Path file : files.get()) {
            try {
                BasicFileAttributes of = Files.readAttributes(file, BasicFileAttributes.class);
                stamps.put(file.toString(), of.size() + " " + of.lastModifiedTime() + " " + of.fileKey());
            } catch (IOException e) {
                // It is not there, or not yet; the next look tells.
                stamps.remove(file.toString());
            }
        }
        return stamps;
    }
}
