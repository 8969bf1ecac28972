package dev.sro.core.recipe.chart;

import dev.sro.api.Problem;
import dev.sro.core.model.FileErrors;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** Collects the files of one chart into memory, within limits and never from outside of it. Not thread-safe. */
final class FileCollector {

    private static final Pattern DRIVE = Pattern.compile("[a-zA-Z]:/.*");
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    private static final int MAX_FOLDERS = 64;
    private static final int BUFFER = 8192;

    private final String source;
    private final ChartLimits limits;
    private final SortedMap<String, byte[]> files = new TreeMap<>();
    private long bytes;

    private FileCollector(String source, ChartLimits limits) {
        this.source = source;
        this.limits = limits;
    }

    /** The files of a gzipped tar archive, without the first folder of each path. */
    static SortedMap<String, byte[]> ofArchive(String source, byte[] archive, ChartLimits limits) {
        if (archive.length > limits.compressedBytes()) {
            throw ChartException.unsafe(source + ": the archive has " + archive.length + " bytes, more than the "
                    + limits.compressedBytes() + " that are allowed");
        }
        FileCollector collector = new FileCollector(source, limits);
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(archive))) {
            collector.readTar(new TarReader(in));
            collector.drain(in);
        } catch (IOException e) {
            throw ChartException.invalid(source + ": not a chart archive (.tgz): " + e.getMessage());
        }
        if (collector.files.isEmpty()) {
            throw ChartException.invalid(source + ": no files in the chart archive");
        }
        return collector.files;
    }

    /** The files below a directory, without those that its .helmignore leaves out. */
    static SortedMap<String, byte[]> ofDirectory(String source, Path directory, ChartLimits limits) {
        FileCollector collector = new FileCollector(source, limits);
        try {
            Path root = directory.toRealPath();
            Path ignore = root.resolve(".helmignore");
            String rules = Files.isRegularFile(ignore) ? Files.readString(ignore) : "";
            Visitor visitor = collector.new Visitor(root, new HelmIgnore(source + ": .helmignore", rules));
            Files.walkFileTree(root, EnumSet.of(FileVisitOption.FOLLOW_LINKS), MAX_FOLDERS, visitor);
        } catch (IOException e) {
            throw new ChartException(
                    Problem.platform("ChartNotReadable", source + " cannot be read: " + FileErrors.text(e)), e);
        }
        return collector.files;
    }

    private void readTar(TarReader tar) throws IOException {
        for (TarReader.Entry entry = tar.next(); entry != null; entry = tar.next()) {
            if (entry.isLink()) {
                throw ChartException.unsafe(source + ": " + entry.name() + " is a link; charts must not have any");
            }
            if (entry.isFile() && !entry.name().endsWith("/")) {
                String path = path(entry.name());
                checkSize(path, entry.size());
                add(path, tar.content(limits.fileBytes()));
            }
        }
    }

    /** To the end, where the check sum is. */
    private void drain(InputStream in) throws IOException {
        byte[] buffer = new byte[BUFFER];
        long more = 0;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            more += read;
            if (more > limits.totalBytes()) {
                throw tooLarge(source, limits);
            }
        }
    }

    /** Helm's rules for names in archives. */
    private String path(String name) {
        String slashed = name.replace('\\', '/');
        int first = slashed.indexOf('/');
        if (first < 0) {
            throw ChartException.invalid(source + ": " + name
                    + " lies outside of the chart's folder; an archive has one folder with all files");
        }
        StringBuilder path = new StringBuilder();
        for (String part : slashed.substring(first + 1).split("/", -1)) {
            if (part.equals("..") || part.indexOf('\0') >= 0) {
                throw ChartException.unsafe(source + ": the path " + name + " leads out of the chart");
            }
            if (!part.isEmpty() && !part.equals(".")) {
                path.append(path.isEmpty() ? "" : "/").append(part);
            }
        }
        if (slashed.startsWith("/")
                || slashed.startsWith("//", first)
                || DRIVE.matcher(path).matches()) {
            throw ChartException.unsafe(source + ": the path " + name + " is absolute");
        }
        if (path.isEmpty()) {
            throw ChartException.invalid(source + ": " + name + " is no path of a file");
        }
        return path.toString();
    }

    private void checkSize(String path, long size) {
        if (size > limits.fileBytes()) {
            throw ChartException.unsafe(source + ": " + path + " has " + size + " bytes, more than the "
                    + limits.fileBytes() + " that are allowed");
        }
        if (bytes + size > limits.totalBytes() || files.size() >= limits.files()) {
            throw tooLarge(source, limits);
        }
    }

    static ChartException tooLarge(String source, ChartLimits limits) {
        return ChartException.unsafe(source + ": more than " + limits.totalBytes() + " bytes or " + limits.files()
                + " files; keep images, modules and other large things out of the chart (.helmignore)");
    }

    private void add(String path, byte[] content) {
        bytes += content.length;
        boolean marked = content.length >= BYTE_ORDER_MARK.length
                && Arrays.equals(content, 0, BYTE_ORDER_MARK.length, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length);
        files.put(path, marked ? Arrays.copyOfRange(content, BYTE_ORDER_MARK.length, content.length) : content);
    }

    private final class Visitor extends SimpleFileVisitor<Path> {
        private final Path root;
        private final HelmIgnore ignore;

        Visitor(Path root, HelmIgnore ignore) {
            this.root = root;
            this.ignore = ignore;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
            if (directory.equals(root)) {
                return FileVisitResult.CONTINUE;
            }
            // ..data and ..2026_11_21 are how kubelet swaps the content of a mounted ConfigMap; the files are also
            // outside.
            boolean left = directory.getFileName().toString().startsWith("..") || ignore.ignores(path(directory), true);
            if (!left) {
                checkInside(directory);
            }
            return left ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            String path = path(file);
            if (file.getFileName().toString().startsWith("..") || ignore.ignores(path, false)) {
                return FileVisitResult.CONTINUE;
            }
            checkInside(file);
            if (!attributes.isRegularFile()) {
                throw ChartException.unsafe(source + ": " + path + " is no regular file");
            }
            checkSize(path, attributes.size());
            try (InputStream in = Files.newInputStream(file)) {
                byte[] content = in.readNBytes(limits.fileBytes() + 1);
                checkSize(path, content.length);
                add(path, content);
            }
            return FileVisitResult.CONTINUE;
        }

        /** Links are how ConfigMaps are mounted, so they are followed, but never out of the chart. */
        private void checkInside(Path path) throws IOException {
            if (!path.toRealPath().startsWith(root)) {
                throw ChartException.unsafe(source + ": " + path(path) + " is a link that leads out of the chart");
            }
        }

        private String path(Path path) {
            return root.relativize(path).toString().replace('\\', '/');
        }
    }
}
