package dev.sro.core.cel;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The Kubernetes extensions for IP addresses and networks: {@code ip}, {@code isIP}, {@code ip.isCanonical}, {@code cidr}, {@code
 * isCIDR} and the methods of what they make. Addresses of version 4 in the form of version 6, and zones, are none. Stateless.
 */
final class CelNetwork {
    private static final int V4_BYTES = 4;
    private static final int BITS = 8;
    private static final int BYTE = 0xff;
    private static final Pattern LENGTH = Pattern.compile("0|[1-9][0-9]{0,2}");

    /** An address. Equal where the bytes are. */
    record Ip(List<Integer> bytes) {
        int family() {
            return bytes.size() == V4_BYTES ? 4 : 6;
        }

        /** The canonical form: the longest run of zeros, of two groups or more, is left out. */
        @Override
        public String toString() {
            return bytes.size() == V4_BYTES ? dotted(bytes) : groups(bytes);
        }
    }

    /** A network, with the address that it was written with. */
    record Cidr(Ip ip, int length) {
        Ip masked() {
            Integer[] masked = new Integer[ip.bytes().size()];
            for (int i = 0; i < masked.length; i++) {
                int kept = Math.max(0, Math.min(BITS, length - i * BITS));
                masked[i] = ip.bytes().get(i) & (BYTE << (BITS - kept)) & BYTE;
            }
            return new Ip(List.of(masked));
        }

        boolean contains(Ip other) {
            return other.family() == ip.family()
                    && new Cidr(other, length).masked().equals(masked());
        }

        @Override
        public String toString() {
            return ip + "/" + length;
        }
    }

    private CelNetwork() {}

    /** A function of the library. */
    static Object call(String name, String text) {
        return switch (name) {
            case "isIP" -> address(text).isPresent();
            case "isCIDR" -> network(text).isPresent();
            case "ip" -> ip(text);
            case "cidr" -> cidr(text);
            case "ip.isCanonical" -> ip(text).toString().equals(text);
            default -> throw CelException.noOverload();
        };
    }

    private static Ip ip(String text) {
        return address(text)
                .orElseThrow(() -> new CelException("IP Address \"" + text
                        + "\" parse error during conversion from string: ParseAddr(\"" + text
                        + "\"): unable to parse IP"));
    }

    private static Cidr cidr(String text) {
        return network(text)
                .orElseThrow(() -> new CelException(
                        "network address parse error during conversion from string: network address parse error during"
                                + " conversion from string: netip.ParsePrefix(\"" + text + "\"): "
                                + (text.contains("/") ? "unable to parse IP" : "no '/'")));
    }

    private static Optional<Ip> address(String text) {
        boolean mapped = text.contains(":") && text.contains(".");
        if (mapped || !CelAddress.isAddress(text)) {
            return Optional.empty();
        }
        try {
            byte[] bytes = InetAddress.getByName(text).getAddress();
            Integer[] all = new Integer[bytes.length];
            Arrays.setAll(all, i -> bytes[i] & BYTE);
            boolean four = bytes.length == V4_BYTES;
            return four == text.contains(":") ? Optional.empty() : Optional.of(new Ip(List.of(all)));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    private static Optional<Cidr> network(String text) {
        int slash = text.lastIndexOf('/');
        if (slash < 0 || !LENGTH.matcher(text.substring(slash + 1)).matches()) {
            return Optional.empty();
        }
        int length = Integer.parseInt(text.substring(slash + 1));
        return address(text.substring(0, slash))
                .filter(ip -> length <= ip.bytes().size() * BITS)
                .map(ip -> new Cidr(ip, length));
    }

    /** A method of an address or a network, the first argument. */
    static Object method(String name, List<@Nullable Object> args) {
        Object target = args.get(0);
        if (target instanceof Ip ip && args.size() == 1) {
            return ofAddress(name, ip);
        }
        if (target instanceof Cidr cidr) {
            return args.size() == 1 ? ofNetwork(name, cidr) : contains(name, cidr, args.get(1));
        }
        throw CelException.noOverload();
    }

    private static Object ofAddress(String name, Ip ip) {
        int first = ip.bytes().get(0);
        int second = ip.bytes().get(1);
        boolean four = ip.family() == 4;
        boolean zeros = ip.bytes().stream().limit(ip.bytes().size() - 1L).allMatch(b -> b == 0);
        int last = ip.bytes().get(ip.bytes().size() - 1);
        boolean unspecified = zeros && last == 0;
        boolean loopback = four ? first == 127 : zeros && last == 1;
        boolean multicast = four ? first >> 4 == 0xe : first == BYTE;
        boolean linkLocal = four ? first == 169 && second == 254 : first == 0xfe && (second & 0xc0) == 0x80;
        return switch (name) {
            case "family" -> (long) ip.family();
            case "isUnspecified" -> unspecified;
            case "isLoopback" -> loopback;
            case "isLinkLocalMulticast" ->
                four ? first == 224 && second == 0 && ip.bytes().get(2) == 0 : multicast && (second & 0xf) == 2;
            case "isLinkLocalUnicast" -> linkLocal;
            case "isGlobalUnicast" -> {
                boolean broadcast = four && ip.bytes().stream().allMatch(b -> b == BYTE);
                yield !broadcast && !unspecified && !loopback && !multicast && !linkLocal;
            }
            default -> throw CelException.noOverload();
        };
    }

    private static Object ofNetwork(String name, Cidr cidr) {
        return switch (name) {
            case "ip" -> cidr.ip();
            case "masked" -> new Cidr(cidr.masked(), cidr.length());
            case "prefixLength" -> (long) cidr.length();
            default -> throw CelException.noOverload();
        };
    }

    private static Object contains(String name, Cidr cidr, @Nullable Object other) {
        if (name.equals("containsIP")) {
            if (other instanceof Ip ip) {
                return cidr.contains(ip);
            }
            if (other instanceof String text) {
                return cidr.contains(ip(text));
            }
        } else if (name.equals("containsCIDR")) {
            Cidr inner = other instanceof String text ? cidr(text) : other instanceof Cidr given ? given : null;
            if (inner != null) {
                return inner.length() >= cidr.length() && cidr.contains(inner.ip());
            }
        }
        throw CelException.noOverload();
    }

    private static String dotted(List<Integer> bytes) {
        return bytes.get(0) + "." + bytes.get(1) + "." + bytes.get(2) + "." + bytes.get(3);
    }

    private static String groups(List<Integer> bytes) {
        int[] groups = new int[bytes.size() / 2];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = bytes.get(2 * i) << BITS | bytes.get(2 * i + 1);
        }
        int from = -1;
        int longest = 1;
        for (int i = 0; i < groups.length; i++) {
            int run = 0;
            while (i + run < groups.length && groups[i + run] == 0) {
                run++;
            }
            if (run > longest) {
                longest = run;
                from = i;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < groups.length; i++) {
            if (i == from) {
                text.append("::");
                i += longest - 1;
            } else {
                text.append(text.isEmpty() || text.toString().endsWith(":") ? "" : ":")
                        .append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString();
    }
}
