package dev.sro.core.outgoing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutgoingRulesTest {

    private static byte[] bytes(String address) {
        return Network.literal(address).orElseThrow(() -> new IllegalArgumentException(address));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.255.255.254",
                "0.0.0.0",
                "0.1.2.3",
                "169.254.169.254",
                "169.254.0.1",
                "192.0.0.192",
                "100.100.100.200",
                "168.63.129.16",
                "224.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "fe80::1",
                "fe80::1%eth0",
                "febf::1",
                "fec0::1",
                "ff02::1",
                "fd00:ec2::254",
                "fd20:ce::254",
                "::ffff:127.0.0.1",
                "::ffff:169.254.169.254",
                "::127.0.0.1",
                "64:ff9b::169.254.169.254",
                "64:ff9b:1::127.0.0.1",
                "2002:7f00:1::1",
                "2002:a9fe:a9fe::1",
                "2001:0:1:2:3:4:5601:5601",
                "::ffff:0:127.0.0.1"
            })
    void refusesWhatIsNoServerOfCharts(String address) {
        assertThat(OutgoingRules.DEFAULT.allows("registry.example.com", bytes(address)))
                .isFalse();
        assertThat(OutgoingRules.parse("test", "*,registry.example.com").allows("registry.example.com", bytes(address)))
                .as("a name may lead anywhere, so to name it does not permit where it leads")
                .isFalse();
    }

    /** Java makes an IPv4 address of it whenever it reads one; a resolver need not. */
    @Test
    void refusesMappedAddressesAsBytes() throws UnknownHostException {
        byte[] mapped = new byte[16];
        mapped[10] = (byte) 0xff;
        mapped[11] = (byte) 0xff;
        System.arraycopy(InetAddress.getByName("169.254.169.254").getAddress(), 0, mapped, 12, 4);
        assertThat(OutgoingRules.DEFAULT.allows("a.example", mapped)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.1",
                "192.168.1.1",
                "172.30.0.1",
                "8.8.8.8",
                "100.64.0.1",
                "169.253.255.255",
                "126.255.255.255",
                "2600::1",
                "fd12::1",
                "2002:808:808::1",
                "64:ff9b::8.8.8.8"
            })
    void allowsAllOthersUnlessToldOtherwise(String address) {
        assertThat(OutgoingRules.DEFAULT.allows("a.example", bytes(address))).isTrue();
        assertThat(OutgoingRules.parse("test", "b.example").allows("a.example", bytes(address)))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "'registry.example.com', registry.example.com, 10.0.0.1, true",
        "'registry.example.com', REGISTRY.example.com., 10.0.0.1, true",
        "'registry.example.com', other.example.com, 10.0.0.1, false",
        "'*.example.com', a.b.example.com, 10.0.0.1, true",
        "'*.example.com', example.com, 10.0.0.1, false",
        "'*.example.com', badexample.com, 10.0.0.1, false",
        "'10.0.0.0/8', anything.example, 10.9.8.7, true",
        "'10.0.0.0/8', anything.example, 11.0.0.1, false",
        "'fd12::/16', anything.example, fd12::7, true",
        "'*,127.0.0.1', localhost, 127.0.0.1, true",
        "'*,127.0.0.1', localhost, 127.0.0.2, false",
        "'localhost', localhost, 127.0.0.1, true",
        "'localhost', localhost, ::1, true",
        "'localhost', localhost, 10.0.0.1, true",
        "'*,127.0.0.0/8', x.example, ::ffff:127.0.0.1, true",
        "'*,64:ff9b::/96', x.example, 64:ff9b::127.0.0.1, false",
        "'*,64:ff9b::/96,127.0.0.0/8', x.example, 64:ff9b::127.0.0.1, true",
        "'', x.example, 10.0.0.1, false"
    })
    void looksAtNameAndAddress(String rules, String host, String address, boolean allowed) {
        OutgoingRules read = OutgoingRules.parse("test", rules);
        assertThat(read.allowsHost(host) && read.allows(host, bytes(address))).isEqualTo(allowed);
    }

    /** Old spellings of addresses, which some resolvers and proxies understand. */
    @ParameterizedTest
    @ValueSource(strings = {"2130706433", "127.1", "0x7f000001", "0177.0.0.1", "0x7f.1", "127.0.0.1.", "169.254.43518"})
    void aNumberIsNoName(String host) {
        assertThat(OutgoingRules.DEFAULT.allowsHost(host)).isFalse();
        assertThat(OutgoingRules.DEFAULT.allowsThroughProxy(host)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "quay.io, true",
        "10.0.0.1, true",
        "169.254.169.254, false",
        "[::1], false",
        "localhost, false",
        "a.localhost, false",
        "metadata.google.internal, false",
        "Metadata.Google.Internal., false"
    })
    void ofWhatAProxyLooksUpTheTextCounts(String host, boolean allowed) {
        assertThat(OutgoingRules.DEFAULT.allowsThroughProxy(host)).isEqualTo(allowed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "https://quay.io", "quay.io:443", "10.0.0.0/33", "*.", "300.1.1.1", "**"})
    void whatIsNoServerIsNamed(String entry) {
        assertThatThrownBy(() -> OutgoingRules.parse("--outgoing", "quay.io," + entry))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--outgoing")
                .hasMessageContaining("\"" + entry + "\"");
    }
}
