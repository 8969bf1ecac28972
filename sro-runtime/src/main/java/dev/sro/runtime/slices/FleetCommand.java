package dev.sro.runtime.slices;

import dev.sro.core.claim.ClaimObjects;
import dev.sro.core.claim.FleetStatus;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows who has what of the GPUs of a cluster. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = {
            "Shows the GPUs of a cluster that are published as slices: who has what, what is free, and which pods wait.",
            "",
            "FREE is how many slices of a profile could be had now, if nothing else were; REARRANGED how many, if what runs were"
                    + " put together as well as possible. Where it is more, the GPUs are fragmented. Reads, and writes nothing.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 no pod waits for slices; 1 one does, and why is printed; 2 wrong arguments, input that cannot be"
                    + " read, or no answer from the cluster.",
            "",
            "Examples:",
            "  sro slices status",
            "  kubectl get resourceslices,resourceclaims,deviceclasses,pods,nodes -A -o yaml | sro slices status --from -"
        })
final class FleetCommand implements Callable<Integer> {
    @Mixin
    private Inputs inputs = new Inputs();

    @Mixin
    private ClaimInput from = new ClaimInput();

    @Option(
            names = "--most-waiting",
            paramLabel = "N",
            defaultValue = "20",
            description = "So many pods that wait are explained. Default: ${DEFAULT-VALUE}.")
    private int mostWaiting;

    @Option(
            names = "--old",
            description =
                    "Show instead who asks for slices and GPUs of the device plugin, and the claim templates that would"
                            + " take their place.")
    private boolean old;

    @Mixin
    private OutputForm form = new OutputForm();

    FleetCommand() {}

    @Override
    public Integer call() {
        ClaimObjects objects = from.read();
        if (old) {
            DevicePluginUsers report = DevicePluginUsers.of(objects);
            form.print(report::text, report::tree);
            return report.users().isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
        }
        FleetStatus status = FleetStatus.of(objects, inputs.catalogue(), Math.max(0, mostWaiting));
        form.print(() -> FleetText.text(status), () -> FleetTrees.tree(status));
        return status.waiting().isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
