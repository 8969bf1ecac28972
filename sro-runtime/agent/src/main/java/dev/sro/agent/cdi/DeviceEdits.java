package dev.sro.agent.cdi;

import dev.sro.agent.slice.Holding;
import java.io.IOException;
import java.util.List;

/** What a container needs for slices. Two kinds: NVIDIA's device nodes, and for emulated devices what lets a program see that it got them. */
public interface DeviceEdits {
    /** What each container needs that gets any slice of the claim. */
    CdiEdits common(List<Holding> slices) throws IOException;

    /** What it needs for this slice. */
    CdiEdits of(Holding slice) throws IOException;
}
