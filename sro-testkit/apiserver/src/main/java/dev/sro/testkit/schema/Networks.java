package dev.sro.testkit.schema;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Arithmetic of networks in the form ADDRESS/LENGTH that are known to be well-formed. Stateless. */
final class Networks {
    private Networks() {}

    private static InetAddress address(String cidr) {
        try {
            // Of an address, nobody is asked.
            return InetAddress.getByName(cidr.substring(0, cidr.indexOf('/')));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(cidr, e);
        }
    }

    private static int length(String cidr) {
        return Integer.parseInt(cidr.substring(cidr.indexOf('/') + 1));
    }

    /** The bits of the address behind the first {@code length}. */
    private static BigInteger rest(InetAddress address, int length) {
        int bits = address.getAddress().length * Byte.SIZE;
        return new BigInteger(1, address.getAddress()).mod(BigInteger.ONE.shiftLeft(bits - length));
    }

    /** Whether the address is the first one of the network. */
    static boolean isMasked(String cidr) {
        return rest(address(cidr), length(cidr)).signum() == 0;
    }

    /** Whether all of one network, and not all of the other, is in the other. */
    static boolean isStrictlyWithin(String inner, String outer) {
        InetAddress in = address(inner);
        InetAddress out = address(outer);
        if (in.getAddress().length != out.getAddress().length || length(inner) <= length(outer)) {
            return false;
        }
        BigInteger start = new BigInteger(1, in.getAddress()).subtract(rest(in, length(outer)));
        BigInteger base = new BigInteger(1, out.getAddress()).subtract(rest(out, length(outer)));
        return start.equals(base);
    }
}
