package dev.sro.core.outgoing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Addresses that lead to this machine, to its neighbours on the wire, or to what gives out the identity of a cloud machine: nothing
 * that a chart or an image comes from. From the registries of special-purpose addresses of IANA (RFC 6890) and from what clouds
 * document of their metadata services. Stateless.
 */
final class SpecialAddresses {

    private static final int V4 = 4;
    private static final int V6 = 16;

    private static final List<Network> NETWORKS = Stream.of(
                    "0.0.0.0/8", // this network; Linux connects 0.0.0.0 to loopback
                    "127.0.0.0/8", // loopback
                    "169.254.0.0/16", // link-local, with the metadata of AWS, Azure, Google, OpenStack, Oracle
                    "192.0.0.0/24", // protocol assignments, with Oracle's older metadata
                    "100.100.100.200/32", // metadata of Alibaba
                    "168.63.129.16/32", // what Azure tells its machines
                    "224.0.0.0/4", // multicast
                    "240.0.0.0/4", // reserved, and broadcast
                    "::/128", // unspecified
                    "::1/128", // loopback
                    "fe80::/10", // link-local
                    "fec0::/10", // site-local, given up
                    "ff00::/8", // multicast
                    "fd00:ec2::/32", // metadata of AWS
                    "fd20:ce::/32") // metadata of Google
            .map(Network::of)
            .toList();

    /** By which a proxy could be made to look such an address up. */
    private static final Set<String> NAMES = Set.of(
            "localhost",
            "ip6-localhost",
            "metadata",
            "metadata.google.internal",
            "instance-data",
            "instance-data.ec2.internal");

    /** Forms that carry an IPv4 address, and where in them it is. */
    private record Carrier(Network network, int at) {}

    private static final List<Carrier> CARRIERS = List.of(
            new Carrier(Network.of("::/96"), 12), // IPv4-compatible
            new Carrier(Network.of("64:ff9b::/96"), 12), // NAT64, RFC 6052
            new Carrier(Network.of("64:ff9b:1::/48"), 12), // NAT64, RFC 8215
            new Carrier(Network.of("2002::/16"), 2), // 6to4
            new Carrier(Network.of("::ffff:0:0:0/96"), 12)); // SIIT, RFC 2765

    /** {@code ::} and {@code ::1} have the form of IPv4-compatible addresses, and are none. */
    private static final Network NO_CARRIERS = Network.of("::/112");

    private static final Network TEREDO = Network.of("2001::/32");

    private SpecialAddresses() {}

    /** Whether this one is, whatever it may stand for. */
    static boolean contain(byte[] address) {
        return NETWORKS.stream().anyMatch(network -> network.contains(address));
    }

    static boolean containName(String host) {
        String name = host.toLowerCase(Locale.ROOT).replaceFirst("\\.$", "");
        return NAMES.contains(name) || name.endsWith(".localhost");
    }

    /** The address, and the IPv4 address that it stands for, if it does. */
    static List<byte[]> forms(byte[] address) {
        List<byte[]> all = new ArrayList<>();
        all.add(address);
        if (address.length == V6) {
            if (mapped(address)) {
                all.add(Arrays.copyOfRange(address, V6 - V4, V6));
            }
            for (Carrier carrier : CARRIERS) {
                if (carrier.network().contains(address) && !NO_CARRIERS.contains(address)) {
                    all.add(Arrays.copyOfRange(address, carrier.at(), carrier.at() + V4));
                }
            }
            if (TEREDO.contains(address)) {
                // Teredo has the address of the client with all bits turned around, RFC 4380.
                byte[] client = Arrays.copyOfRange(address, V6 - V4, V6);
                for (int i = 0; i < V4; i++) {
                    client[i] = (byte) ~client[i];
                }
                all.add(client);
            }
        }
        return all;
    }

    /** {@code ::ffff:a.b.c.d}, which Java makes an IPv4 address of wherever it reads one itself. */
    private static boolean mapped(byte[] address) {
        for (int i = 0; i < 10; i++) {
            if (address[i] != 0) {
                return false;
            }
        }
        return address[10] == (byte) 0xff && address[11] == (byte) 0xff;
    }
}
