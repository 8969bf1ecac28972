package dev.sro.runtime.operator;

import dev.sro.core.outgoing.OutgoingRules;
import dev.sro.runtime.RegistriesConf;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Whom an operator asks, and whom it believes. Immutable.
 *
 * @param outgoing servers that may be asked for charts and images
 * @param plugins where else plugins come from, and which are believed
 * @param registriesConf the file with the mirrors of registries that are looked into; it need not be there
 * @param metrics where metrics are for those who may read them, over HTTPS; empty for the port of the probes, for everybody
 */
record TrustSettings(
        OutgoingRules outgoing, PluginSources plugins, Path registriesConf, Optional<InetSocketAddress> metrics) {

    static final TrustSettings DEFAULTS = new TrustSettings(
            OutgoingRules.DEFAULT, PluginSources.DEFAULTS, RegistriesConf.given(null), Optional.empty());
}
