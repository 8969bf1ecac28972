package dev.sro.core.image;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.tukaani.xz.XZInputStream;

/** Unpacks what layers and modules of kernels are packed with. Stateless. */
final class Decompression {

    /** {@code xz -9} asks for 65 MiB; kernels pack their modules with dictionaries of 2 MiB. */
    private static final int XZ_KIB = 80 << 10;

    private Decompression() {}

    /** A layer, whose errors are those of a stream. */
    static InputStream zstd(InputStream packed, String what) {
        return new FilterInputStream(new ZstdInputStream(packed)) {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                try {
                    return super.read(bytes, offset, length);
                } catch (MalformedInputException | IllegalArgumentException | IndexOutOfBoundsException e) {
                    throw new IOException(what + " cannot be unpacked as zstd: " + e.getMessage(), e);
                }
            }

            @Override
            public long skip(long count) throws IOException {
                byte[] away = new byte[(int) Math.min(count, 1 << 16)];
                return Math.max(0, read(away, 0, away.length));
            }
        };
    }

    /** A module, at most so long; empty for what cannot be unpacked: the layer as a whole is right, as its digest says. */
    static byte[] module(String path, byte[] content, int bytes) {
        try (InputStream in = unpacking(path, new ByteArrayInputStream(content))) {
            return in.readNBytes(bytes);
        } catch (IOException e) {
            return new byte[0];
        }
    }

    private static InputStream unpacking(String path, InputStream packed) throws IOException {
        if (path.endsWith(".gz")) {
            return new GZIPInputStream(packed);
        }
        if (path.endsWith(".xz")) {
            return new XZInputStream(packed, XZ_KIB);
        }
        return path.endsWith(".zst") ? zstd(packed, path) : packed;
    }
}
