package dev.sro.core.outgoing;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/** A network of IPv4 or IPv6 addresses. Immutable. */
final class Network {

    private static final Pattern FOUR = Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(?:\\.(?!$)|$)){4}");
    private static final Pattern SIX = Pattern.compile("[0-9a-fA-F:]*:[0-9a-fA-F:.]*");
    private static final int BITS = 8;

    private final byte[] base;
    private final int prefix;

    private Network(byte[] base, int prefix) {
        this.base = base;
        this.prefix = prefix;
    }

    /** The network of a constant of this package. */
    static Network of(String text) {
        return parse(text).orElseThrow(() -> new IllegalArgumentException(text));
    }

    /** {@code 10.0.0.0/8}, {@code fd00::/8}, or one address; empty if the text is neither. */
    static Optional<Network> parse(String text) {
        int slash = text.indexOf('/');
        Optional<byte[]> address = literal(slash < 0 ? text : text.substring(0, slash));
        if (address.isEmpty()) {
            return Optional.empty();
        }
        int all = address.get().length * BITS;
        String length = slash < 0 ? String.valueOf(all) : text.substring(slash + 1);
        if (!length.matches("\\d{1,3}") || Integer.parseInt(length) > all) {
            return Optional.empty();
        }
        return Optional.of(new Network(address.get(), Integer.parseInt(length)));
    }

    /** The bytes of an address as text, with brackets or without; empty for a name. No name is looked up. */
    static Optional<byte[]> literal(String text) {
        String bare = text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
        int zone = bare.indexOf('%');
        bare = zone < 0 ? bare : bare.substring(0, zone);
        if (!FOUR.matcher(bare).matches() && !SIX.matcher(bare).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByName(bare).getAddress());
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    boolean contains(byte[] address) {
        if (address.length != base.length) {
            return false;
        }
        int whole = prefix / BITS;
        if (!Arrays.equals(address, 0, whole, base, 0, whole)) {
            return false;
        }
        int rest = prefix % BITS;
        int mask = 0xff << (BITS - rest) & 0xff;
        return rest == 0 || (address[whole] & mask) == (base[whole] & mask);
    }
}
