package dev.sro.runtime.operator;

import ch.qos.logback.classic.Level;
import dev.sro.core.build.BuildSettings;
import dev.sro.core.embed.OperatorLease;
import dev.sro.core.model.ImageMirrors;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How an operator runs. Immutable.
 *
 * @param connection which cluster
 * @param plugins folder of plugin jars; empty for those that come with SRO
 * @param selector of special resources, by their labels; empty for all
 * @param workers special resources that are reconciled at once
 * @param election who leads; empty when this is the only replica
 * @param bindHost where probes and metrics listen
 * @param port of probes and metrics; 0 for any free one, negative for none
 * @param requestsPerSecond most requests to the API server in the long run
 * @param requestBurst most requests at once
 * @param pluginDeadline of a call of a plugin
 * @param stopTimeout how long a stop waits for reconciles that run
 * @param relistAfter silence of a watch after which its objects are listed anew
 * @param labelGrace for how long a label of Node Feature Discovery that vanishes says nothing
 * @param imageMirrors from where images are pulled instead
 * @param builds how images of drivers are built
 * @param runtimeImage whose shell places files for container runtimes; empty for the engine's own choice
 * @param recipeAccount by whose rights recipes are applied that no plugin brought; empty for those of the operator
 * @param helm the command that renders charts; empty for Helm's library
 * @param trust who is asked, and who may ask
 * @param webhook the server of admission webhooks; empty for none
 * @param log how log lines look
 * @param logLevel of SRO's own lines
 * @param logLevelFile a file with levels that is read again while it runs
 */
record OperatorSettings(
        Connection connection,
        Optional<Path> plugins,
        String selector,
        int workers,
        Optional<Election> election,
        String bindHost,
        int port,
        double requestsPerSecond,
        int requestBurst,
        Duration pluginDeadline,
        Duration stopTimeout,
        Duration relistAfter,
        Duration labelGrace,
        ImageMirrors imageMirrors,
        BuildSettings builds,
        Optional<String> runtimeImage,
        String recipeAccount,
        Optional<Path> helm,
        TrustSettings trust,
        Optional<WebhookSettings> webhook,
        Logs.Form log,
        Level logLevel,
        Optional<Path> logLevelFile) {

    /**
     * Which cluster.
     *
     * @param kubeconfig empty for what kubectl would take, or the service account of the pod
     * @param context of the kubeconfig; empty for the current one
     */
    record Connection(Optional<Path> kubeconfig, Optional<String> context) {}

    /**
     * Who leads.
     *
     * @param namespace of the Lease; empty for that of the connection
     * @param lease the Lease, and this replica
     */
    record Election(Optional<String> namespace, OperatorLease lease) {}
}
