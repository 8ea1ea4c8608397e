package io.optimus.tests;

import java.io.IOException;
import java.lang.reflect.Proxy;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.exceptions.ConfigurationException;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.privileged.PrivilegedOperationExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.CGroupsHandler;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.ResourceHandler;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.resources.ResourceHandlerException;
import org.apache.hadoop.yarn.server.nodemanager.executor.ContainerStartContext;
import org.jspecify.annotations.Nullable;

/**
 * Starts containers as DefaultContainerExecutor does, and assigns GPUs to them as LinuxContainerExecutor does: with the
 * handler of YARN's GPU plug-in, before the start of each container. Only the isolation, which needs root and cgroups, is
 * left out.
 */
public final class UnisolatedGpusExecutor extends DefaultContainerExecutor {
    private @Nullable Context node;
    private @Nullable ResourceHandler gpus;

    /** YARN makes executors by reflection. */
    public UnisolatedGpusExecutor() {}

    @Override
    public void setConf(Configuration conf) {
        super.setConf(conf);
        if (conf != null) {
            // The program that would put a container into its cgroup.
            conf.set("yarn.nodemanager.linux-container-executor.path", "/bin/true");
        }
    }

    @Override
    public void init(Context nodeManager) throws IOException {
        super.init(nodeManager);
        node = nodeManager;
    }

    @Override
    public int launchContainer(ContainerStartContext start) throws IOException, ConfigurationException {
        try {
            gpus().preStart(start.getContainer());
            try {
                return super.launchContainer(start);
            } finally {
                gpus().postComplete(start.getContainer().getContainerId());
            }
        } catch (ResourceHandlerException e) {
            throw new IOException(e);
        }
    }

    /** The handler of the plug-in, which the NodeManager initialises before it starts containers. */
    private synchronized ResourceHandler gpus() throws ResourceHandlerException {
        if (gpus == null) {
            Context nodeManager = node;
            if (nodeManager == null) {
                throw new YarnRuntimeException("No container can start before init");
            }
            gpus = nodeManager
                    .getResourcePluginManager()
                    .getNameToPlugins()
                    .get("yarn.io/gpu")
                    .createResourceHandler(
                            nodeManager, withoutCgroups(), PrivilegedOperationExecutor.getInstance(getConf()));
            gpus.bootstrap(getConf());
        }
        return gpus;
    }

    private static CGroupsHandler withoutCgroups() {
        return (CGroupsHandler) Proxy.newProxyInstance(
                CGroupsHandler.class.getClassLoader(),
                new Class<?>[] {CGroupsHandler.class},
                (proxy, method, arguments) -> method.getReturnType() == String.class ? "" : null);
    }
}
