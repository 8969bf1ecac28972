package dev.sro.agent;

import dev.sro.agent.device.DeviceException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** The command {@code sro-agent}: runs until it is told to end; with {@code --uninstall yes} it takes the node's slices away and ends with 0.
 * Exit codes: 143 after SIGTERM, 1 if it cannot start, 2 for wrong arguments. */
public final class AgentMain {
    private AgentMain() {}

    /** Starts the agent. */
    public static void main(String[] arguments) throws InterruptedException {
        // The types of the API bring a logger; nothing of theirs is logged, and it says so on standard error.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        try {
            if (Agent.uninstall(arguments, System.getenv(), System.out::println)) {
                return;
            }
            Agent agent = Agent.start(arguments, System.getenv(), AgentMain::pause, System.out::println);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    agent.close();
                } catch (IOException e) {
                    System.err.println("sockets stay: " + e.getMessage());
                }
            }));
            new CountDownLatch(1).await();
        } catch (IllegalArgumentException e) {
            System.err.println("sro-agent: " + e.getMessage());
            System.exit(2);
        } catch (IOException | DeviceException e) {
            System.err.println("sro-agent: " + e.getMessage());
            System.exit(1);
        }
    }

    private static void pause(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
