package dev.sro.core.load;

import dev.sro.api.driver.LoadPlan;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Scripts of load plans, run on a host that is not there. */
abstract class LoadScriptWorld {
    @TempDir
    Path root;

    FakeHost host;

    @BeforeEach
    void makeHost() {
        host = new FakeHost(root);
    }

    LoadPlan.Builder plan() {
        return LoadPlan.builder().directory(host.image());
    }

    static String script(LoadPlan plan) {
        return LoadScript.write("gpu", plan, plan.modules());
    }

    FakeHost.Result run(LoadPlan plan, String task) {
        return host.run(script(plan), task);
    }
}
