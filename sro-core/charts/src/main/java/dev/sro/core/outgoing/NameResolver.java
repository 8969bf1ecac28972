package dev.sro.core.outgoing;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Port: to which addresses a name leads. Asked once for each connection. Implementations are thread-safe. */
@FunctionalInterface
public interface NameResolver {

    /** That of the Java platform. */
    NameResolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

    /** @throws UnknownHostException if there is no such name */
    List<InetAddress> resolve(String host) throws UnknownHostException;
}
