package dev.sro.runtime.tests;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.manifest.DesiredHook;
import dev.sro.core.manifest.HookEvent;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Operands;
import dev.sro.core.release.Release;
import dev.sro.core.release.ReleaseRecord;
import dev.sro.runtime.Clients;
import dev.sro.runtime.ClusterOptions;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.UnusableInputException;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs the test hooks of a special resource's chart. */
@Command(
        name = "test",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the tests in the chart of a special resource: the hooks test, one after another, by weight.",
            "",
            "They are those of the release that is recorded in the cluster. The first one that fails ends it, and the"
                    + " end of its log is shown.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 all succeeded, or there are none; 1 one failed or took too long; 2 wrong arguments, no such"
                    + " special resource, nothing recorded, or no answer from the cluster."
        })
public final class TestCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "NAME", description = "The special resource.")
    private String name = "";

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "300",
            description = "How long one test may take. Default: ${DEFAULT-VALUE}.")
    private int timeout;

    /** Filled by the command line parser. */
    public TestCommand() {}

    @Override
    public Integer call() {
        if (timeout <= 0) {
            throw new UnusableInputException("--timeout " + timeout, "must be a positive number of seconds");
        }
        Config config = cluster.config();
        PrintWriter out = spec.commandLine().getOut();
        try (KubernetesClient client = Clients.plain(config)) {
            List<DesiredHook> tests = tests(client);
            if (tests.isEmpty()) {
                out.println("the chart of " + name + " has no tests");
                return ExitCodes.OK;
            }
            return new TestRun(client, out, Duration.ofSeconds(timeout)).all(tests) ? ExitCodes.OK : ExitCodes.FAILED;
        } catch (KubernetesClientException e) {
            throw new UnusableInputException(config.getMasterUrl(), Clients.message(e));
        } finally {
            out.flush();
        }
    }

    private List<DesiredHook> tests(KubernetesClient client) {
        SpecialResource resource =
                client.resources(SpecialResource.class).withName(name).get();
        if (resource == null) {
            throw new UnusableInputException("NAME", "there is no special resource " + name);
        }
        Fabric8Codec codec = new Fabric8Codec(client.getKubernetesSerialization());
        List<KubeObject> secrets = new ArrayList<>();
        client.secrets()
                .inNamespace(Operands.namespace(resource))
                .withLabel("owner", "helm")
                .withLabel("name", Release.name(name))
                .list()
                .getItems()
                .forEach(secret -> secrets.add(KubeObject.of(codec.toTree(secret))));
        List<ReleaseRecord> records = ReleaseRecord.all(secrets);
        if (records.isEmpty()) {
            throw new UnusableInputException(
                    "NAME",
                    "no release of " + name + " is recorded in namespace " + Operands.namespace(resource)
                            + "; its recipe is no chart, or SRO has not got to it, or has no rights on Secrets there");
        }
        return records.get(records.size() - 1).hooks().stream()
                .filter(hook -> hook.runsAt(HookEvent.TEST))
                .sorted(DesiredHook.ORDER)
                .toList();
    }
}
