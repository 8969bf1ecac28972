package dev.sro.core.outgoing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which servers SRO may ask for charts, images, tokens and graphs of versions. Immutable.
 *
 * <p>A comma-separated list: {@code *} for every address that is not special, a name ({@code registry.example.com}), all names of a
 * domain ({@code *.example.com}), a network or an address ({@code 10.0.0.0/8}, {@code fd00::1}). Special addresses (loopback,
 * link-local, metadata of clouds, multicast, unspecified) are reached only where a network or an address of the list has them, or
 * {@code localhost} for loopback: a name may resolve to anything.
 */
public final class OutgoingRules {

    /** Every address that is not special. */
    public static final OutgoingRules DEFAULT = parse("outgoing", "*");

    /** Every address, this machine too, with all details in messages: for who asks for himself, and for tests. */
    public static final OutgoingRules EVERYWHERE = new OutgoingRules(
            "*, 0.0.0.0/0, ::/0", true, List.of(), List.of(Network.of("0.0.0.0/0"), Network.of("::/0")), true);

    private static final Pattern NAME =
            Pattern.compile("(\\*\\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*");

    /** The last part of what some take for an address, in one of the old forms: {@code 127.1}, {@code 0x7f000001}. */
    private static final Pattern NUMBER = Pattern.compile("(?:.*\\.)?(?:\\d+|0[xX][0-9a-fA-F]*)\\.?");

    private final String text;
    private final boolean all;
    private final List<String> names;
    private final List<Network> networks;
    private final boolean detailed;

    private OutgoingRules(String text, boolean all, List<String> names, List<Network> networks, boolean detailed) {
        this.text = text;
        this.all = all;
        this.names = List.copyOf(names);
        this.networks = List.copyOf(networks);
        this.detailed = detailed;
    }

    /**
     * Reads a list.
     *
     * @param option where it comes from, for messages
     * @throws IllegalArgumentException if an entry is none
     */
    public static OutgoingRules parse(String option, String list) {
        boolean all = false;
        List<String> names = new ArrayList<>();
        List<Network> networks = new ArrayList<>();
        for (String part : list.split(",")) {
            String entry = part.strip().toLowerCase(Locale.ROOT);
            Optional<Network> network = Network.parse(entry);
            if (entry.equals("*")) {
                all = true;
            } else if (network.isPresent()) {
                networks.add(network.get());
            } else if (entry.equals("localhost")) {
                networks.add(Network.of("127.0.0.0/8"));
                networks.add(Network.of("::1"));
                names.add(entry);
            } else if (NAME.matcher(entry).matches() && !NUMBER.matcher(entry).matches()) {
                names.add(entry);
            } else if (!entry.isEmpty()) {
                throw new IllegalArgumentException(option + ": \"" + part.strip()
                        + "\" is none of *, a name (registry.example.com), a domain (*.example.com), a network"
                        + " (10.0.0.0/8) and an address; ports are not part of it");
            }
        }
        return new OutgoingRules(list.strip(), all, names, networks, false);
    }

    /** Whether a name or address of a URL may be asked for at all; what it resolves to is looked at by {@link #allows}. */
    boolean allowsHost(String host) {
        Optional<byte[]> literal = Network.literal(host);
        if (literal.isPresent()) {
            return allows(host, literal.get());
        }
        if (NUMBER.matcher(host).matches()) {
            return false;
        }
        return all || named(host) || !networks.isEmpty();
    }

    /** Whether this address of the host may be connected to. Where it stands for another one, that one counts, too. */
    boolean allows(String host, byte[] address) {
        List<byte[]> forms = SpecialAddresses.forms(address);
        return forms.stream().allMatch(form -> inNetworks(form) || !SpecialAddresses.contain(form))
                && (all || named(host) || forms.stream().anyMatch(this::inNetworks));
    }

    /** Whether a proxy may be told to go there: it resolves names itself, so that only the text can be looked at. */
    boolean allowsThroughProxy(String host) {
        if (Network.literal(host).isPresent()) {
            return allowsHost(host);
        }
        return !NUMBER.matcher(host).matches() && (named(host) || (all && !SpecialAddresses.containName(host)));
    }

    /** Whether messages may say why there is no connection: for servers that the administrator named himself. */
    boolean details(String host) {
        return detailed
                || named(host)
                || Network.literal(host).filter(this::inNetworks).isPresent();
    }

    private boolean inNetworks(byte[] address) {
        return networks.stream().anyMatch(network -> network.contains(address));
    }

    private boolean named(String host) {
        String name = host.toLowerCase(Locale.ROOT).replaceFirst("\\.$", "");
        return names.stream()
                .anyMatch(entry -> entry.startsWith("*.") ? name.endsWith(entry.substring(1)) : name.equals(entry));
    }

    /** The list, as it was given. */
    @Override
    public String toString() {
        return text;
    }
}
