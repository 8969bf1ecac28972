package dev.sro.core.plugin;

import java.lang.reflect.Constructor;
import java.util.concurrent.Callable;
import org.pf4j.Plugin;
import org.pf4j.PluginFactory;
import org.pf4j.PluginRuntimeException;
import org.pf4j.PluginWrapper;

/** Creates a plugin's PF4J life-cycle object so that none of its methods can hang or break the host. */
final class GuardedPluginFactory implements PluginFactory {

    private final GuardedCalls calls;

    GuardedPluginFactory(GuardedCalls calls) {
        this.calls = calls;
    }

    @Override
    public Plugin create(PluginWrapper wrapper) {
        String className = wrapper.getDescriptor().getPluginClass();
        ClassLoader loader = wrapper.getPluginClassLoader();
        if (className.equals(Plugin.class.getName())) {
            return new Plugin();
        }
        Plugin plugin = guarded("the constructor of Plugin-Class " + className, loader, () -> {
            Class<?> type = Class.forName(className, true, loader);
            return newInstance(type.asSubclass(Plugin.class), wrapper);
        });
        return new GuardedPlugin(plugin, className, loader);
    }

    private static Plugin newInstance(Class<? extends Plugin> type, PluginWrapper wrapper)
            throws ReflectiveOperationException {
        for (Constructor<?> constructor : type.getConstructors()) {
            if (constructor.getParameterCount() == 1 && constructor.getParameterTypes()[0] == PluginWrapper.class) {
                return type.cast(constructor.newInstance(wrapper));
            }
        }
        return type.getConstructor().newInstance();
    }

    private <T> T guarded(String what, ClassLoader loader, Callable<T> body) {
        try {
            return calls.call(what, loader, body);
        } catch (CallFailedException failed) {
            throw new LifeCycleException(failed);
        }
    }

    /** How a failure gets through PF4J, which passes on unchecked exceptions only. */
    static final class LifeCycleException extends PluginRuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient CallFailedException failure;

        LifeCycleException(CallFailedException failure) {
            super(failure.reason());
            this.failure = failure;
        }

        CallFailedException failure() {
            return failure;
        }
    }

    private final class GuardedPlugin extends Plugin {

        private final Plugin vendors;
        private final String className;
        private final ClassLoader loader;

        GuardedPlugin(Plugin vendors, String className, ClassLoader loader) {
            this.vendors = vendors;
            this.className = className;
            this.loader = loader;
        }

        @Override
        public void start() {
            run("start()", vendors::start);
        }

        @Override
        public void stop() {
            run("stop()", vendors::stop);
        }

        private void run(String method, Runnable body) {
            guarded(method + " of Plugin-Class " + className, loader, () -> {
                body.run();
                return Boolean.TRUE;
            });
        }
    }
}
